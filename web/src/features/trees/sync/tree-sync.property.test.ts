import fc from "fast-check";
import { expect, test } from "vitest";
import { ApiError, NotModified } from "../../../../../contract/client/client-of.ts";
import type { Estimation } from "../../../../../contract/endpoints/estimations.ts";
import { checkStructure } from "../../../../../domain/tree/check/check-structure.ts";
import { updateNode } from "../../../../../domain/tree/edit/edit-nodes.ts";
import {
  createOption,
  deleteOption,
  deselectOption,
  selectOption,
  updateOption,
} from "../../../../../domain/tree/edit/edit-options.ts";
import type { Tree } from "../../../../../domain/tree/shape.ts";
import { NoResponse } from "../../../api/failure.ts";
import type { Service, Surroundings } from "../surroundings.ts";
import { node, option } from "../testing/parts.ts";
import { treeTexts } from "../texts.ts";
import { type Own, ownOf } from "./content.ts";
import type { Draft, LeftDraft } from "./drafts.ts";
import { NewIds } from "./new-ids.ts";
import { TreeSync } from "./tree-sync.ts";

/** How a write ends; `late` stores it and loses the response. */
const outcomes = ["lost", "late", 409, 429, 503] as const;
type Outcome = (typeof outcomes)[number];

const refusal = (status: number, message: string) =>
  new ApiError(status, new Headers(), { success: false, message, requestId: "r" } as never);

/** One estimation, as the service has it. */
class FakeService implements Service {
  revision = 1;
  tree: Tree = {
    nodes: [
      node("nod_1", "Basket", [option("opt_1", "Cart")]),
      { ...node("nod_2", "Payment", [option("opt_2", "Card"), option("opt_3", "Invoice")]), kind: "single" },
    ],
  };
  own: Own = ownOf({
    title: "Shop",
    description: "",
    assumptions: "",
    clientName: "",
    tags: [],
    hourlyRate: null,
    currency: null,
    correlation: 0,
    rounding: "none",
  } as unknown as Estimation);
  /** Outcomes of the next writes; after them everything is well. */
  next: Outcome[] = [];
  isReachable = true;
  /** How long requests and responses are under way. */
  travel = async (): Promise<void> => {};
  private made = 0;

  estimation(): Estimation {
    return {
      id: "est_1",
      ...this.own,
      revision: this.revision,
      status: "draft",
      updatedAt: "",
    } as unknown as Estimation;
  }
  private loaded = () => ({ nodes: structuredClone(this.tree.nodes), etag: `"${this.revision}"` });
  private async write<T>(etag: string, store: () => void, response: () => T): Promise<T | undefined> {
    await this.travel();
    if (!this.isReachable) throw new NoResponse("no response");
    const outcome = this.next.shift();
    if (outcome === "lost") throw new NoResponse("no response");
    if (outcome === 409) throw refusal(409, "estimation_locked");
    if (outcome === 429) throw refusal(429, "rate_limited");
    if (outcome === 503) throw refusal(503, "service_unavailable");
    if (etag !== `"${this.revision}"`) {
      await this.travel();
      return undefined;
    }
    store();
    this.revision += 1;
    if (outcome === "late") throw new NoResponse("no response");
    const made = response();
    await this.travel();
    return made;
  }
  async storeTree(tree: Tree, etag: string) {
    if (checkStructure(tree.nodes).length > 0) throw refusal(400, "validation_failed");
    return this.write(
      etag,
      () => {
        this.tree = structuredClone(tree);
      },
      this.loaded,
    );
  }
  storeOwn(fields: Partial<Own>, etag: string) {
    return this.write(
      etag,
      () => {
        this.own = { ...this.own, ...fields };
      },
      () => ({ estimation: this.estimation(), etag: `"${this.revision}"` }),
    );
  }
  async loadEstimation(known: string) {
    await this.travel();
    if (!this.isReachable) throw new NoResponse("no response");
    if (known === `"${this.revision}"`) throw new NotModified(new Headers());
    const loaded = { estimation: this.estimation(), etag: `"${this.revision}"` };
    await this.travel();
    return loaded;
  }
  async loadBoth() {
    await this.travel();
    if (!this.isReachable) throw new NoResponse("no response");
    const both = { estimation: this.estimation(), loaded: this.loaded() };
    await this.travel();
    return both;
  }
  async loadIds(kind: string, count: number) {
    await null;
    if (!this.isReachable) throw new NoResponse("no response");
    return Array.from({ length: count }, () => `${kind === "node" ? "nod" : "opt"}_new${this.made++}`);
  }
  /** Changes by somebody else. */
  editElsewhere(change: (tree: Tree) => { readonly ok: boolean; readonly tree?: Tree }): void {
    const outcome = change(this.tree);
    if (!outcome.ok || !outcome.tree) return;
    this.tree = outcome.tree;
    this.revision += 1;
  }
}

/** A browser with tabs that share what they keep, and a clock that is moved by hand. */
class FakeBrowser {
  readonly service = new FakeService();
  readonly tabs: { sync: TreeSync; page: string; isOpen: boolean }[] = [];
  isSignedIn = true;
  /** Whether what was changed was changed by the reader, in another browser. */
  isOwn = async (): Promise<boolean> => false;
  private nowMs = 0;
  private timers: { readonly at: number; readonly run: () => void }[] = [];
  private readonly kept = new Map<string, Draft>();
  private pages = 0;

  open(): void {
    const page = `page${this.pages++}`;
    const left = () => [...this.kept].filter(([key]) => !this.tabs.some((tab) => tab.isOpen && tab.page === key));
    const takeOver = (): LeftDraft | undefined => {
      const [found] = left();
      return found && { key: found[0], draft: found[1] };
    };
    const first = takeOver();
    if (first) {
      this.kept.delete(first.key);
      this.kept.set(page, first.draft);
    }
    const tab = { page, isOpen: true };
    const around: Surroundings = {
      drafts: {
        taken: () => first?.draft ?? null,
        keep: (draft) => void this.kept.set(page, structuredClone(draft)),
        keepNow: (draft) => void this.kept.set(page, structuredClone(draft)),
        drop: () => void this.kept.delete(page),
        next: async () => takeOver(),
        take: ({ key, draft }) => {
          if (this.kept.get(key) !== draft) return false;
          this.kept.delete(key);
          this.kept.set(page, draft);
          return true;
        },
      },
      isSignedIn: () => this.isSignedIn && tab.isOpen,
      isVisible: () => tab.isOpen,
      now: () => this.nowMs,
      after: (ms, run) => {
        const timer = { at: this.nowMs + ms, run: () => tab.isOpen && run() };
        this.timers.push(timer);
        return () => {
          this.timers = this.timers.filter((each) => each !== timer);
        };
      },
      tellSave: () => {},
      isOwnSince: () => this.isOwn(),
    };
    const { service } = this;
    const ids = new NewIds((kind, count) => service.loadIds(kind, count));
    const { nodes } = structuredClone(service.tree);
    const sync = new TreeSync(service.estimation(), { nodes, etag: `"${service.revision}"` }, ids, service, around);
    this.tabs.push(Object.assign(tab, { sync }));
    sync.wake();
  }

  /** Resolves after so many milliseconds. */
  later = (ms: number): Promise<void> =>
    new Promise((run) => {
      this.timers.push({ at: this.nowMs + ms, run });
    });

  /** Lets everything happen that needs no time. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  }

  async pass(ms: number): Promise<void> {
    const end = this.nowMs + ms;
    for (let steps = 0; ; steps += 1) {
      if (steps > 500) throw new Error("it goes round in circles");
      await this.settle();
      const [due] = this.timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (!due) break;
      this.nowMs = Math.max(this.nowMs, due.at);
      this.timers = this.timers.filter((each) => each !== due);
      due.run();
    }
    this.nowMs = end;
  }
}

/** What has to be on the server in the end: by id, the title that was typed last, or null where it was deleted. */
interface Model {
  readonly added: Set<string>;
  /** What the reader was asked about. */
  asked: string;
  /** Whether anything was edited by somebody else, or in several tabs. */
  hasOthers: boolean;
  titles: number;
}

type Command = fc.AsyncCommand<Model, FakeBrowser>;

const tabOf = ({ tabs }: FakeBrowser, at: number) => {
  const open = tabs.filter(({ isOpen }) => isOpen);
  return open[at % open.length] as (typeof tabs)[number];
};

const command = (name: string, run: (model: Model, browser: FakeBrowser) => Promise<unknown>): Command => ({
  check: () => true,
  run: async (model, browser) => {
    await run(model, browser);
    await browser.settle();
  },
  toString: () => name,
});

const add = (at: number) =>
  command(`add(${at})`, async (model, browser) => {
    const { sync } = tabOf(browser, at);
    if (!browser.isSignedIn || sync.current().saving.at === "conflicted") return;
    const id = sync.ids.take("option") ?? (await sync.ids.takeAll("option", 1))?.[0];
    if (!id) return;
    const title = `Made ${model.titles++}`;
    const fault = sync.edit((tree) => createOption(tree, "nod_1", { title }, () => id));
    if (fault === null) model.added.add(title);
  });
const rename = (at: number) =>
  command(`rename(${at})`, async (model, browser) => {
    const { sync } = tabOf(browser, at);
    const options = sync.current().tree.nodes[0]?.options ?? [];
    const mine = options.findLast(({ id, title }) => id.startsWith("opt_new") && model.added.has(title));
    if (!browser.isSignedIn || sync.current().saving.at === "conflicted" || !mine) return;
    const title = `Made ${model.titles++}`;
    if (sync.edit((tree) => updateOption(tree, mine.id, { title })) !== null) return;
    model.added.delete(mine.title);
    model.added.add(title);
  });
const undo = (at: number) =>
  command(`undo(${at})`, async (model, browser) => {
    const { sync } = tabOf(browser, at);
    const { saving, past } = sync.current();
    const step = past.at(-1);
    if (!browser.isSignedIn || saving.at === "conflicted" || !step) return;
    const titles = (tree: Tree) => tree.nodes.flatMap(({ options }) => options.map(({ title }) => title));
    const shown = titles(sync.current().tree);
    sync.undo();
    await browser.settle();
    const now = titles(sync.current().tree);
    for (const title of shown) if (!now.includes(title)) model.added.delete(title);
    for (const title of now) if (!shown.includes(title)) model.added.add(title);
  });
const pass = (ms: number) => command(`pass(${ms})`, (_, browser) => browser.pass(ms));
const respond = (how: Outcome) =>
  command(`respond(${how})`, async (_, { service }) => {
    service.next.push(how);
  });
const cut = command("cut", async (_, { service }) => {
  service.isReachable = !service.isReachable;
});
const elsewhere = (how: "add" | "delete" | "describe") =>
  command(`elsewhere(${how})`, async (model, { service }) => {
    const title = `Theirs ${model.titles++}`;
    model.hasOthers = true;
    const last = service.tree.nodes[0]?.options.at(-1)?.id ?? "";
    if (how === "delete") service.editElsewhere((tree) => deleteOption(tree, "opt_1"));
    else if (how === "describe") service.editElsewhere((tree) => updateOption(tree, last, { description: title }));
    else service.editElsewhere((tree) => createOption(tree, "nod_1", { title }, () => `opt_theirs${model.titles}`));
  });
const reload = (at: number) =>
  command(`reload(${at})`, async (_, browser) => {
    if (!browser.service.isReachable) return;
    const tab = tabOf(browser, at);
    tab.sync.leave();
    tab.isOpen = false;
    browser.open();
  });
const openTab = command("openTab", async (model, browser) => {
  model.hasOthers = true;
  if (browser.service.isReachable && browser.tabs.filter(({ isOpen }) => isOpen).length < 3) browser.open();
});
const sign = command("sign out or in", async (_, browser) => {
  browser.isSignedIn = !browser.isSignedIn;
  if (browser.isSignedIn) for (const { sync } of browser.tabs) sync.wake();
});

const select = (at: number, option: number) =>
  command(`select(${at}, ${option})`, async (_, browser) => {
    const { sync } = tabOf(browser, at);
    if (sync.current().saving.at === "conflicted") return;
    const chosen = sync.current().tree.nodes[1]?.options[option];
    if (chosen) sync.edit((tree) => (chosen.selected ? deselectOption : selectOption)(tree, chosen.id));
  });
const selectElsewhere = (option: number) =>
  command(`selectElsewhere(${option})`, async (_, { service }) => {
    const id = service.tree.nodes[1]?.options[option]?.id ?? "";
    service.editElsewhere((tree) => selectOption(tree, id));
  });
const look = (at: number) => command(`look(${at})`, async (_, browser) => void tabOf(browser, at).sync.look());
const followed = (at: number) =>
  command(`follow(${at})`, async (_, browser) => tabOf(browser, at).sync.follow(browser.service.estimation()));
const decide = (at: number) =>
  command(`decide(${at})`, async (_, browser) => {
    const { sync } = tabOf(browser, at);
    const { saving } = sync.current();
    if (saving.at === "conflicted") sync.resolve(saving.conflicts.map(({ id }) => ({ id, side: "from" as const })));
  });

const anyTab = fc.nat(2);
const commands = [
  anyTab.map(add),
  anyTab.map(add),
  anyTab.map(rename),
  anyTab.map(undo),
  fc.constantFrom(0, 100, 300, 4_000).map(pass),
  fc.constantFrom(0, 100, 300, 4_000).map(pass),
  fc.constantFrom(...outcomes).map(respond),
  fc.constant(cut),
  fc.constantFrom("add" as const, "delete" as const, "describe" as const).map(elsewhere),
  anyTab.map(reload),
  fc.constant(openTab),
  fc.constant(sign),
];

/** Everything is well again: nothing may wait any longer, and nothing that was typed may be missing. */
async function expectEverything(model: Model, browser: FakeBrowser): Promise<void> {
  const { service, tabs } = browser;
  service.next = [];
  service.isReachable = true;
  browser.isSignedIn = true;
  for (let round = 0; round < 12; round += 1) {
    for (const { sync, isOpen } of tabs) {
      if (!isOpen) continue;
      const { saving } = sync.current();
      if (saving.at === "conflicted") {
        model.asked += JSON.stringify(saving.conflicts);
        sync.resolve(saving.conflicts.map(({ id }) => ({ id, side: "from" as const })));
      } else sync.wake();
    }
    await browser.pass(60_000);
  }
  const options = service.tree.nodes[0]?.options ?? [];
  expect(tabs.filter(({ isOpen, sync }) => isOpen && sync.current().saving.at !== "saved").length).toBe(0);
  expect(new Set(options.map(({ id }) => id)).size).toBe(options.length);
  const titles = options.map(({ title }) => title).filter((title) => title.startsWith("Made"));
  expect(new Set(titles).size).toBe(titles.length);
  // Nobody has to decide between their own edits.
  if (!model.hasOthers) expect(model.asked).toBe("");
  const missing = [...model.added].filter((title) => !titles.includes(title) && !model.asked.includes(`"${title}"`));
  expect(missing).toEqual([]);
  expect(titles.filter((title) => !model.added.has(title) && !model.asked.includes(`"${title}"`))).toEqual([]);
}

test("whatever happens on the way, everything that was typed is stored, and nothing twice", async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 30, size: "max" }), async (run) => {
      const browser = new FakeBrowser();
      const model: Model = { added: new Set(), asked: "", hasOthers: false, titles: 0 };
      browser.open();
      await browser.settle();
      await fc.asyncModelRun(() => ({ model, real: browser }), run);
      await expectEverything(model, browser);
    }),
    { numRuns: 500 },
  );
});

test("once everything is well, what was edited is stored by itself, and each page shows what the service has", async () => {
  const some = [
    anyTab.map(add),
    anyTab.map(add),
    anyTab.map(rename),
    anyTab.map(undo),
    fc.constantFrom(0, 100, 300, 4_000).map(pass),
    fc.constantFrom(0, 100, 300, 4_000).map(pass),
    fc.constantFrom("lost" as const, "late" as const, 429 as const, 503 as const).map(respond),
    fc.constant(cut),
    fc.constantFrom("add" as const, "delete" as const, "describe" as const).map(elsewhere),
    fc.constantFrom(0, 30, 90).map(pass),
    fc.constantFrom(0, 30, 90).map(pass),
    fc.tuple(anyTab, fc.nat(1)).map(([at, one]) => select(at, one)),
    fc.tuple(anyTab, fc.nat(1)).map(([at, one]) => select(at, one)),
    fc.nat(1).map(selectElsewhere),
    anyTab.map(look),
    anyTab.map(followed),
    anyTab.map(decide),
    fc.constant(openTab),
  ];
  await fc.assert(
    fc.asyncProperty(fc.commands(some, { maxCommands: 30, size: "max" }), async (run) => {
      const browser = new FakeBrowser();
      browser.open();
      await browser.settle();
      browser.service.travel = () => browser.later(70);
      const model: Model = { added: new Set(), asked: "", hasOthers: false, titles: 0 };
      await fc.asyncModelRun(() => ({ model, real: browser }), run);
      const { service, tabs } = browser;
      service.next = [];
      service.isReachable = true;
      for (let round = 0; round < 12; round += 1) {
        for (const { sync } of tabs) {
          const { saving } = sync.current();
          if (saving.at === "conflicted")
            sync.resolve(saving.conflicts.map(({ id }) => ({ id, side: "from" as const })));
        }
        await browser.pass(60_000);
      }
      expect(tabs.map(({ sync }) => sync.current().saving.at)).toEqual(tabs.map(() => "saved"));
      for (const { sync } of tabs) {
        // What does not know the newest revision looks again, as for news.
        if (sync.revision() < service.revision) void sync.look();
        await browser.pass(1_000);
        expect(sync.current().tree).toEqual(service.tree);
      }
    }),
    { numRuns: 500 },
  );
});

/** Runs these commands, after which everything is well again. */
async function play(...steps: readonly Command[]): Promise<FakeBrowser> {
  const browser = new FakeBrowser();
  const model: Model = { added: new Set(), asked: "", hasOthers: false, titles: 0 };
  browser.open();
  await browser.settle();
  for (const step of steps) await step.run(model, browser);
  await expectEverything(model, browser);
  return browser;
}

test("who changed what a draft of a closed page had not seen is not known", async () => {
  const rename = (title: string) => (tree: Tree) => updateOption(tree, "opt_1", { title });
  await import("./merge-contents.ts");
  for (const isOpenBefore of [true, false]) {
    const browser = new FakeBrowser();
    browser.open();
    await browser.settle();
    const first = tabOf(browser, 0);
    if (isOpenBefore) browser.open();
    expect(first.sync.edit(rename("Mine"))).toBe(null);
    browser.service.editElsewhere(rename("Theirs"));
    if (isOpenBefore) tabOf(browser, 1).sync.wake();
    await browser.settle();
    first.isOpen = false;
    if (!isOpenBefore) browser.open();
    const { sync } = tabOf(browser, 0);
    sync.wake();
    await browser.pass(1_000);
    expect(sync.current().saving).toMatchObject({ at: "conflicted", since: null });
  }
});

test("what was decided stays decided where the decision leads to another question", async () => {
  const mine = (tree: Tree) => updateNode(tree, "nod_2", { title: "Mine", kind: "single" });
  const theirs = (tree: Tree) => {
    const renamed = updateNode(tree, "nod_2", { title: "Theirs" });
    return renamed.ok ? selectOption(renamed.tree, "opt_3") : renamed;
  };
  for (const isHeld of [false, true]) {
    const browser = new FakeBrowser();
    browser.service.editElsewhere((tree) => updateNode(tree, "nod_2", { kind: "multi" }));
    browser.service.editElsewhere((tree) => selectOption(tree, "opt_2"));
    browser.open();
    await browser.settle();
    const { sync } = tabOf(browser, 0);
    const held = sync.hold();
    await import("./merge-contents.ts");
    // Sent, and refused as older; or typed since before they came.
    if (!isHeld) expect(sync.edit(mine)).toBe(null);
    browser.service.editElsewhere(theirs);
    if (isHeld) void sync.look();
    await browser.pass(1_000);
    if (isHeld) expect(sync.edit(mine, held)).toBe(null);
    const asked: (string | null)[] = [];
    for (let saving = sync.current().saving; saving.at === "conflicted"; saving = sync.current().saving) {
      asked.push(...saving.conflicts.map(({ kind, field }) => `${kind} ${field}`));
      expect(asked.length).toBeLessThan(5);
      sync.resolve(saving.conflicts.map(({ id }) => ({ id, side: "from" as const })));
      await browser.pass(1_000);
    }
    expect(asked).toEqual(["changed title", "structure choice"]);
    const [, payment] = browser.service.tree.nodes;
    expect([payment?.title, payment?.kind]).toEqual(["Mine", "single"]);
  }
});

test("what is said about an undo is not replaced by what was looked up before", async () => {
  const rename = (title: string) => (tree: Tree) => updateOption(tree, "opt_1", { title });
  const browser = new FakeBrowser();
  browser.open();
  await browser.settle();
  const { sync } = tabOf(browser, 0);
  expect(sync.edit(rename("Mine"))).toBe(null);
  await browser.pass(1_000);
  const answer = Promise.withResolvers<boolean>();
  browser.isOwn = () => answer.promise;
  browser.service.editElsewhere(rename("Theirs"));
  void sync.look();
  await browser.settle();
  expect([sync.current().tree.nodes[0]?.options[0]?.title, sync.current().notice]).toEqual(["Theirs", null]);
  sync.undo();
  await browser.settle();
  expect(sync.current().notice).toBe(treeTexts.editor.keptNewer);
  answer.resolve(false);
  await browser.settle();
  expect(sync.current().notice).toBe(treeTexts.editor.keptNewer);
});

test("what is undone before the lost response of its save comes to nothing, and what follows it asks nobody", async () => {
  const { service } = await play(respond("late"), add(0), pass(300), undo(0));
  expect(service.tree.nodes[0]?.options.map(({ title }) => title)).toEqual(["Cart"]);
  await play(respond("late"), add(0), pass(300), rename(0));
  await play(respond("lost"), respond("late"), add(0), pass(300), rename(0), pass(4_000), rename(0), reload(0));
});
