import { Button } from "@mantine/core";
import type { ComponentProps, ReactNode } from "react";
import { IconPlus } from "../../ui/icons.tsx";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Message } from "../../ui/message.tsx";
import { useTitle } from "../../ui/use-title.ts";
import page from "./page.module.css";
import { PageHead } from "./page-head.tsx";

interface ListPageProps {
  readonly texts: Readonly<Record<"title" | "intro" | "emptyTitle" | "create", string>>;
  readonly list: ComponentProps<typeof LoadFailure>["query"] &
    ComponentProps<typeof MoreRows>["list"] & { readonly isPending: boolean; readonly isSuccess: boolean };
  /** Whether there is nothing to list, shown or not. */
  readonly isEmpty: boolean;
  /** The number of rows that show, with what they are. */
  readonly counted: string;
  readonly onCreate: () => void;
  /** The rows. */
  readonly children: ReactNode;
  /** Below the end of the list. */
  readonly foot?: ReactNode;
}

/** A page of the profile with a list of what the user has, and a button that makes more. */
export function ListPage({ texts, list, isEmpty, counted, onCreate, children, foot }: ListPageProps) {
  useTitle(texts.title);
  const create = (
    <Button leftSection={<IconPlus />} onClick={onCreate}>
      {texts.create}
    </Button>
  );
  if (list.isSuccess && isEmpty) {
    return (
      <Message title={texts.emptyTitle} text={texts.intro}>
        {create}
      </Message>
    );
  }
  return (
    <>
      <PageHead title={texts.title} intro={texts.intro}>
        {create}
      </PageHead>
      <div className={page.notices}>
        <LoadFailure query={list} />
      </div>
      {list.isPending && <SkeletonRows rows={4} />}
      {children}
      {list.isSuccess && <MoreRows counted={counted} list={list} />}
      {foot}
    </>
  );
}
