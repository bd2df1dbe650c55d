import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import type { PaletteItem } from "./commands.ts";
import { paletteTexts as t } from "./texts.ts";

/** The search begins once the writer pauses for so long, in milliseconds, … */
const PAUSE_MS = 200;
/** … with so many characters: fewer would find nearly everything. */
const SEARCHED_LENGTH = 2;
/** How many of each kind are found. */
const FOUND = 8;

/** What the service finds for a text: estimations, templates and people. A search that fails finds nothing. */
export function useElsewhere(isOn: boolean) {
  const [typed, search] = useState("");
  const [q, setQ] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const isSearched = (text: string) => isOn && text.length >= SEARCHED_LENGTH && text.length <= limits.searchLength;
  const { data, isFetching } = useQuery({
    queryKey: keys.everywhere(q),
    queryFn: () => findEverywhere(q),
    enabled: isSearched(q),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
  });
  return {
    search,
    found: isSearched(typed) ? (data ?? []) : [],
    isSearching: isSearched(typed) && (typed !== q || isFetching),
  };
}

async function findEverywhere(q: string): Promise<PaletteItem[]> {
  const found = await Promise.allSettled([findEstimations(q), findTemplates(q), findPeople(q)]);
  return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}

async function findEstimations(q: string): Promise<PaletteItem[]> {
  const { data } = await api.listEstimations({ query: { q, limit: FOUND } });
  return data.estimations.map(({ id, title, clientName }) => ({
    id,
    label: title,
    detail: clientName ? `${t.estimation} · ${clientName}` : t.estimation,
    to: `/estimations/${id}`,
  }));
}

async function findTemplates(q: string): Promise<PaletteItem[]> {
  const { data } = await api.listTemplates({ query: { q, limit: FOUND } });
  return data.templates.map(({ id, name }) => ({ id, label: name, detail: t.template, to: `/templates/${id}` }));
}

async function findPeople(q: string): Promise<PaletteItem[]> {
  const { data } = await api.searchUsers({ query: { q, shared: true } });
  return data.users.map(({ id, name, email }) => ({
    id,
    label: name,
    detail: `${t.person} · ${email}`,
    to: `/estimations?owner=${id}`,
  }));
}
