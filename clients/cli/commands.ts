import type { Command } from "./command.ts";
import { api } from "./commands/api.ts";
import { choose } from "./commands/choose.ts";
import { edit } from "./commands/edit.ts";
import { exportTasks } from "./commands/export.ts";
import { hours } from "./commands/hours.ts";
import { list } from "./commands/list.ts";
import { listenToWebhooks } from "./commands/listen.ts";
import { login, logout } from "./commands/login.ts";
import { createFromFile } from "./commands/new.ts";
import { show } from "./commands/show.ts";
import { tasks } from "./commands/tasks.ts";
import { watch } from "./commands/watch.ts";

/** Every command, in the order of the help. */
export const commands: Readonly<Record<string, Command>> = {
  login,
  logout,
  list,
  show,
  new: createFromFile,
  edit,
  choose,
  hours,
  tasks,
  export: exportTasks,
  watch,
  listen: listenToWebhooks,
  api,
};
