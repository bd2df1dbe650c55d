import { NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { exportTexts as t } from "./texts.ts";
import { useSettled } from "./use-settled.ts";

/** What the service takes for the key of a project. */
const KEY = /^[A-Z][A-Z0-9_]*$/;

interface IssueTypesProps {
  readonly connectionId: string;
  /** As it is typed. */
  readonly project: string;
  readonly initial: string;
  readonly fault: string | undefined;
}

/** Asks for the type of the topmost issues: one of those that the tracker lists for the project, or in words where it lists none. */
export function IssueTypes({ connectionId, project, initial, fault }: IssueTypesProps) {
  const key = useSettled(project.trim());
  const isKey = KEY.test(key);
  const { data, error } = useQuery({
    queryKey: keys.issueTypes(connectionId, key),
    queryFn: async () =>
      (await api.listConnectionIssueTypes({ params: { id: connectionId }, query: { project: key } })).data,
    enabled: isKey,
    staleTime: 60_000,
    retry: false,
  });
  const [problem] = data?.problems ?? [];
  if (error || problem) {
    const why = problem ? `${problem.message} ${problem.remedy}` : failureText(error);
    return (
      <TextInput
        name="issueType"
        label={t.issueType}
        description={t.notListed(why)}
        defaultValue={initial}
        maxLength={limits.issueTypeLength}
        error={fault}
      />
    );
  }
  const names = data?.issueTypes.flatMap(({ name, canBeTop }) => (canBeTop ? [name] : [])) ?? [];
  const kept = initial !== "" && !names.includes(initial) ? [initial] : [];
  return (
    <NativeSelect
      key={names.join(" ")}
      name="issueType"
      label={t.issueType}
      description={isKey ? t.issueTypeHint : t.projectFirst}
      defaultValue={initial}
      data={[{ value: "", label: t.usualType }, ...kept, ...names]}
      error={fault}
    />
  );
}
