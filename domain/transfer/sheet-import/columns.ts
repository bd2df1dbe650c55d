import type { SheetField } from "../../../contract/values/sheet-fields.ts";
import { hoursOfUnit } from "../hours/units.ts";
import { lettersOf, type SheetRow, textOf } from "./table.ts";

/** A column with a name. */
export interface Column {
  readonly at: number;
  readonly letters: string;
  readonly name: string;
  /** Null for one that is not understood, and not read. */
  readonly field: SheetField | null;
  /** Hours of one of its units, for a column of hours. */
  readonly unit: number;
}

/** The row that names the columns, and what they are. */
export interface Head {
  readonly row: number;
  readonly columns: readonly Column[];
}

/** What a name may stand for, depending on the other columns. */
type Meaning = SheetField | "position" | "duration";

/** Names in English and German, in small letters, without accents and signs. */
const names: Readonly<Record<Meaning, string>> = {
  number:
    "no,nr,number,nummer,wbs,wbs code,psp,psp code,outline number,gliederungsnummer,gliederung,pos,pos nr,positionsnummer,lfd nr,ziffer,id,#",
  level: "level,outline,outline level,ebene,gliederungsebene,stufe,tiefe,depth,hierarchy,hierarchie",
  path: "path",
  group:
    "phase,epic,module,modul,area,bereich,category,kategorie,group,gruppe,section,abschnitt,component,komponente,package,paket,work package,arbeitspaket,feature,topic,thema,block,chapter,kapitel,node,question,frage,milestone,meilenstein,subproject,teilprojekt,workstream,deliverable,hauptaufgabe,list name",
  title:
    "task,tasks,task name,card name,item,title,titel,name,aufgabe,aufgaben,bezeichnung,vorgang,vorgangsname,activity,aktivitat,tatigkeit,leistung,story,user story,option,summary,zusammenfassung,what,was,todo,to do,ticket,requirement,anforderung,work item,function,funktion",
  part: "subtask,sub task,unteraufgabe,teilaufgabe,step,schritt,arbeitsschritt,unterpunkt",
  position: "position",
  description:
    "description,beschreibung,card description,note,notes,notiz,notizen,bemerkung,bemerkungen,comment,comments,kommentar,kommentare,remark,remarks,anmerkung,anmerkungen,detail,details,hinweis,hinweise,assumptions,annahmen",
  kind: "kind",
  selected: "selected,gewahlt,ausgewahlt,chosen,counts,included,enthalten,auswahl,selection,in scope",
  role: "role,rolle,skill,profile,profil,resource,ressource,resource names,ressourcenname,ressourcennamen",
  quantity: "quantity,qty,count,menge,anzahl,stuck",
  unit: "unit,einheit,mengeneinheit,me",
  optimistic: "optimistic,optimistisch,opt,best,min,minimum,minimal,low,niedrig,o",
  likely: "likely,most likely,wahrscheinlich,wahrsch,realistic,realistisch,probable,normal,nominal,ml,m",
  pessimistic: "pessimistic,pessimistisch,pess,worst,max,maximum,maximal,high,hoch,p",
  hours:
    "hours,effort,aufwand,estimate,estimation,schatzung,work,arbeit,estimated,geschatzt,original estimate,zeitaufwand,aufwandsschatzung",
  duration: "duration,dauer,time,zeit",
};

const meanings = new Map(
  Object.entries(names).flatMap(([meaning, list]) =>
    list.split(",").map((name) => [name, meaning as Meaning] as const),
  ),
);

/** Words that say nothing beside others. */
const FILLERS = new Set(
  "in,per,case,fall,szenario,scenario,value,wert,estimate,estimation,estimated,schatzung,geschatzt,geschatzter,effort,aufwand,the,der,die,das,am".split(
    ",",
  ),
);

/** Endings of German adjectives, as in `optimistische Schätzung`. */
const inflected = (word: string): string => word.replace(/^(\p{L}+(?:isch|lich))(?:e[rsnm]?|sten?|ster)$/u, "$1");

const wordsOf = (text: string): string[] =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .split(/[^\p{L}\p{N}#]+/u)
    .filter((word) => word !== "")
    .map(inflected);

/** Names that are single letters are understood where both ends of hours are given. */
const LETTERS = /^[a-z]$/;

/** Returns the hours of a unit in a name. `min` is the minimum there. */
const unitOf = (word: string): number | undefined => {
  const hours = hoursOfUnit(word);
  return hours !== undefined && hours >= 1 ? hours : undefined;
};

interface Named {
  readonly meaning: Meaning | null;
  readonly unit: number | undefined;
  readonly isLetter: boolean;
}

function readName(name: string): Named {
  const all = wordsOf(name);
  const unit = all.map(unitOf).find((hours) => hours !== undefined);
  const without = wordsOf(name.replace(/\([^)]*\)|\[[^\]]*\]/g, " "));
  for (const words of [all, without]) {
    const plain = words.filter((word) => unitOf(word) === undefined);
    if (unit !== undefined && plain.length === 0) return { meaning: "hours", unit, isLetter: false };
    for (const each of [
      words,
      plain,
      plain.filter((word) => word !== "in"),
      plain.filter((word) => !FILLERS.has(word)),
    ]) {
      const meaning = meanings.get(each.join(" "));
      if (meaning) return { meaning, unit, isLetter: LETTERS.test(each.join("")) };
    }
  }
  return { meaning: null, unit, isLetter: false };
}

const TITLES: readonly SheetField[] = ["group", "title", "part"];
/** Rows among which the head is sought. */
const SOUGHT = 50;

/**
 * Finds the row that names most columns, one of which has to be for titles. A name may stand in the row above, where cells are
 * merged. Null if there is none.
 */
export function findHead(rows: readonly SheetRow[]): Head | null {
  let best: { readonly head: Head; readonly known: number } | null = null;
  for (const [index, row] of rows.slice(0, SOUGHT).entries()) {
    const above = rows[index - 1]?.row === row.row - 1 ? rows[index - 1] : undefined;
    const columns = columnsOf(row, above);
    const known = columns.filter(({ field }) => field !== null).length;
    const isHead = columns.some(({ field }) => field !== null && TITLES.includes(field));
    if (isHead && known > (best?.known ?? 0)) best = { head: { row: row.row, columns }, known };
  }
  return best?.head ?? null;
}

function columnsOf({ cells }: SheetRow, above: SheetRow | undefined): Column[] {
  const found: (Named & { readonly at: number; readonly name: string })[] = [];
  const width = Math.max(cells.length, above?.cells.length ?? 0);
  // Of a cell over several columns, such as "Effort in days" above three.
  let over: Named | null = null;
  for (let at = 0; at < width; at += 1) {
    const aboveText = textOf(above?.cells[at]);
    if (aboveText !== "") over = aboveText.length > LONGEST ? null : readName(aboveText);
    const own = textOf(cells[at]);
    const name = own || aboveText;
    if (name === "" || name.length > LONGEST || typeof (cells[at] ?? above?.cells[at])?.value === "number") continue;
    const named = readName(name);
    found.push({ ...named, at, name, unit: named.unit ?? (own === "" ? undefined : over?.unit) });
  }
  return settle(found);
}

/** The longest name of a column. */
const LONGEST = 100;

/** Decides what depends on the other columns. Of two columns for the same, the first counts; there may be several groups. */
function settle(found: readonly (Named & { readonly at: number; readonly name: string })[]): Column[] {
  const has = (...wanted: (Meaning | null)[]) => found.some(({ meaning }) => wanted.includes(meaning));
  const isThreePoint = found.filter(({ meaning }) => meaning === "optimistic" || meaning === "pessimistic").length >= 2;
  const taken = new Set<SheetField>();
  return found.map(({ at, name, meaning, unit, isLetter }) => {
    let field: SheetField | null;
    if (meaning === "position") field = has(...TITLES) ? "number" : "title";
    else if (meaning === "duration") field = has("hours", "optimistic", "likely", "pessimistic") ? null : "hours";
    else if (meaning === "description") field = has(...TITLES, "position") ? "description" : "title";
    else field = isLetter && !isThreePoint ? null : meaning;
    if (field !== null && field !== "group" && taken.has(field)) field = null;
    if (field !== null) taken.add(field);
    return { at, letters: lettersOf(at), name, field, unit: unit ?? 1 };
  });
}
