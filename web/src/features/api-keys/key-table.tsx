import type { ApiKey } from "../../../../contract/endpoints/api-keys.ts";
import { scopes as allScopes } from "../../../../contract/scopes.ts";
import { described } from "../../ui/hinted.ts";
import { IconEdit, IconMore, IconRotate, IconTrash } from "../../ui/icons.tsx";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { profileTexts } from "../profile/texts.ts";
import { stateOf } from "./expiry.ts";
import type { Asked } from "./key-dialogs.tsx";
import styles from "./key-table.module.css";
import { apiKeyTexts } from "./texts.ts";

const t = apiKeyTexts;
const { columns } = t;

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  readonly onAsk: (asked: Asked) => void;
}

export const KeyTable = ({ keys, onAsk }: KeyTableProps) => (
  <table className={table.table}>
    <TableHead
      columns={[columns.name, columns.key, columns.scopes, columns.lastUsed, columns.expires]}
      actions={profileTexts.actions}
    />
    <tbody>
      {keys.map((apiKey) => (
        <KeyRow key={apiKey.id} apiKey={apiKey} onAsk={onAsk} />
      ))}
    </tbody>
  </table>
);

const SHOWN_SCOPES = 3;

function KeyRow({ apiKey, onAsk }: { readonly apiKey: ApiKey } & Pick<KeyTableProps, "onAsk">) {
  const { name, prefix, scopes, lastUsedAt, expiresAt, revokedAt } = apiKey;
  const state = stateOf(apiKey);
  const hidden = scopes.slice(SHOWN_SCOPES);
  return (
    <tr>
      <td className={table.main}>{name}</td>
      <td className={table.short} data-label={columns.key}>
        <span className={styles.prefix}>{prefix}…</span>
      </td>
      <td data-label={columns.scopes}>
        <span className={styles.scopes}>
          {scopes.length === 0 && t.noScopes}
          {scopes.slice(0, SHOWN_SCOPES).map((scope) => (
            <span key={scope} {...described(allScopes[scope])}>
              {scope}
            </span>
          ))}
          {hidden.length > 0 && <span {...described(hidden.join(", "))}>{t.moreScopes(hidden.length)}</span>}
        </span>
      </td>
      <td className={table.short} data-label={columns.lastUsed}>
        {lastUsedAt ? <Ago at={lastUsedAt} /> : t.neverUsed}
      </td>
      <td className={table.short} data-label={columns.expires}>
        {state === "revoked" && revokedAt ? (
          <>
            {t.revoked} <Ago at={revokedAt} isStop />
          </>
        ) : expiresAt === null ? (
          t.neverExpires
        ) : (
          <span className={state === "expired" ? styles.bad : undefined}>
            {state === "expired" && `${t.expired} `}
            <Ago at={expiresAt} />
          </span>
        )}
      </td>
      <td className={table.actions}>
        {state !== "revoked" && (
          <Menu label={profileTexts.actionsOf(name)} button={<IconMore />}>
            <MenuItem icon={<IconEdit />} onChoose={() => onAsk({ about: "edit", apiKey })}>
              {profileTexts.edit}
            </MenuItem>
            <MenuItem icon={<IconRotate />} onChoose={() => onAsk({ about: "rotate", apiKey })}>
              {t.rotate}
            </MenuItem>
            <MenuItem icon={<IconTrash />} onChoose={() => onAsk({ about: "revoke", apiKey })}>
              {t.revoke}
            </MenuItem>
          </Menu>
        )}
      </td>
    </tr>
  );
}
