import { useMutation } from "@tanstack/react-query";
import { failureText } from "../../api/failure.ts";
import { FloatingNotice } from "../../ui/floating-notice.tsx";
import { MenuGroup, MenuItem } from "../../ui/menu.tsx";
import { type DownloadFormat, download } from "./download.ts";
import { downloadTexts as t } from "./texts.ts";

const FORMATS = Object.keys(t.formats) as DownloadFormat[];

interface DownloadItemsProps {
  readonly estimationId: string;
  /** Returns once what the reader looks at is saved: that is what the file has. */
  readonly untilSaved: () => Promise<unknown>;
}

/** Items of a menu that download an estimation. */
export function DownloadItems({ estimationId: id, untilSaved }: DownloadItemsProps) {
  const { mutate, error, submittedAt } = useMutation({
    mutationFn: async (format: DownloadFormat) => {
      await untilSaved();
      await download(id, format);
    },
  });
  return (
    <>
      <MenuGroup label={t.title}>
        {FORMATS.map((format) => (
          <MenuItem key={format} onChoose={() => mutate(format)}>
            {t.formats[format]}
          </MenuItem>
        ))}
      </MenuGroup>
      {error && (
        <FloatingNotice key={submittedAt} kind="bad">
          {failureText(error)}
        </FloatingNotice>
      )}
    </>
  );
}
