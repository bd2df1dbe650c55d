import { Menu, MenuItem } from "../../ui/menu.tsx";
import { localMinute } from "../../ui/numbers/format.ts";
import { type DownloadFormat, fileOf } from "../downloads/download.ts";
import { saveFile } from "../downloads/save-file.ts";
import { downloadTexts } from "../downloads/texts.ts";
import { bulkTexts as t } from "./bulk-texts.ts";
import styles from "./selection-bar.module.css";
import { type Each, type Outcome, useEach } from "./use-each.ts";

const FORMATS = Object.keys(downloadTexts.formats) as DownloadFormat[];

interface File {
  readonly fileName: string;
  readonly file: Blob;
}

/** The kind of the files, and those that are here already, by the ids of their estimations. */
export interface Download {
  readonly format: DownloadFormat;
  readonly files: Map<string, File>;
}

/** Saves what was downloaded once nothing is left: one file as it is, more in an archive. */
async function finish({ left }: Outcome, { files }: Download): Promise<void> {
  const [first, ...more] = files.values();
  if (!first || left.length > 0) return;
  if (more.length === 0) {
    saveFile(first.file, first.fileName);
    return;
  }
  const { archiveOf } = await import("./archive.ts");
  saveFile(await archiveOf([first, ...more]), t.archive(localMinute(Date.now()).slice(0, 10)));
}

/** Downloads several estimations as the service has them. */
export const useDownloads = (): Each<Download> =>
  useEach<Download>({
    each: async ({ id }, { format, files }) => {
      files.set(id, await fileOf(id, format));
    },
    finish,
    changes: [],
  });

/** Says how many are saved, once they are. */
export const saidDownloaded = ({ left }: Outcome, { files }: Download): string | null =>
  left.length > 0 ? null : t.downloaded(files.size);

/** The menu of the kinds of files. */
export const DownloadMenu = ({ onChoose }: { readonly onChoose: (given: Download) => void }) => (
  <Menu isBoxed className={styles.download ?? ""} button={t.download}>
    {FORMATS.map((format) => (
      <MenuItem key={format} onChoose={() => onChoose({ format, files: new Map() })}>
        {downloadTexts.formats[format]}
      </MenuItem>
    ))}
  </Menu>
);
