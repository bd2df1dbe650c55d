import { useQuery } from "@tanstack/react-query";
import { calibrationQuery } from "./queries.ts";
import { Said } from "./said.tsx";
import { accuracyTexts } from "./texts.ts";

const t = accuracyTexts.calibration;

/** How well the reader's own estimates in rounds held, which nobody else can see; nothing without any. */
export function Calibration() {
  const calibration = useQuery(calibrationQuery).data;
  if (!calibration || calibration.ratio.n === 0) return null;
  return (
    <section aria-label={t.title}>
      <h2>{t.title}</h2>
      <p className="muted">{t.intro}</p>
      <Said ranges={calibration.ranges} ratio={calibration.ratio} isCut={false} />
    </section>
  );
}
