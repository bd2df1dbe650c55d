import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Review } from "../../../../contract/endpoints/reviews.ts";
import { Select } from "../../ui/select.tsx";
import page from "../trees/marked/marked-page.module.css";
import { versionsQuery } from "../versions/queries.ts";
import type { Reviewed } from "./queries.ts";
import { reviewTexts } from "./texts.ts";

const t = reviewTexts.review;

interface SinceProps {
  readonly review: Review;
  /** The id of what the version is to be compared with; null for nothing. */
  readonly base: string | null;
  /** What it is compared with now. */
  readonly former: Reviewed["former"];
  /** Whether the reader is the one who decides. */
  readonly isReviewer: boolean;
}

/** The version to compare with. */
export function Since({ review, base, former, isReviewer }: SinceProps) {
  const navigate = useNavigate();
  const versions = useInfiniteQuery(versionsQuery(review.estimationId, undefined));
  const { version, baseVersion: judged } = review;
  const all = versions.data?.pages.flatMap((loaded) => loaded.versions) ?? [];
  const known = all.filter(({ id }) => id !== version.id && id !== judged?.id);
  const isListed = base === null || base === judged?.id || known.some(({ id }) => id === base);
  if (judged === null && known.length === 0 && base === null) return null;
  return (
    <>
      <label className={page.picker}>
        {t.since}
        <Select
          value={base ?? "none"}
          onChange={({ currentTarget: { value: since } }) =>
            void navigate({ to: ".", search: (search) => ({ ...search, since }), replace: true, resetScroll: false })
          }
        >
          <option value="none">{t.sinceNothing}</option>
          {judged && <option value={judged.id}>{t.sinceJudged(judged.number, isReviewer)}</option>}
          {!isListed && (
            <option value={base}>{former?.id === base ? t.sinceVersion(former.number, former.label) : base}</option>
          )}
          {known.map(({ id, number, label }) => (
            <option key={id} value={id}>
              {t.sinceVersion(number, label)}
            </option>
          ))}
        </Select>
      </label>
      {versions.hasNextPage && (
        <Button
          variant="default"
          size="compact-sm"
          loading={versions.isFetchingNextPage}
          onClick={() => void versions.fetchNextPage()}
        >
          {t.older}
        </Button>
      )}
    </>
  );
}
