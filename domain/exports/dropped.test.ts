import { describe, expect, it } from "vitest";
import { droppedAtGithub, droppedAtJira, isDropped, renamed, withIds } from "./dropped.ts";

const duplicate = { id: "3", name: "Duplicate" };

describe("a resolution", () => {
  it("means dropped by its name, however it is spelled", () => {
    for (const name of ["Duplicate", " duplicate", "Won’t Do", "won't do", "CANNOT REPRODUCE", "Declined"])
      expect(isDropped({ id: "1", name }, droppedAtJira), name).toBe(true);
    for (const name of ["Done", "Fixed", "Duplicates", ""])
      expect(isDropped({ id: "1", name }, droppedAtJira), name).toBe(false);
    expect(isDropped(null, droppedAtJira)).toBe(false);
    expect(isDropped({ id: "not_planned", name: "not_planned" }, droppedAtGithub)).toBe(true);
    expect(isDropped({ id: "completed", name: "completed" }, droppedAtGithub)).toBe(false);
  });

  it("is known by its id once it was seen under its name, and by its name still", () => {
    const learned = withIds(droppedAtJira, [{ id: "1", name: "Done" }, duplicate]);
    expect(isDropped({ id: "3", name: "Duplikat" }, learned)).toBe(true);
    expect(isDropped({ id: "1", name: "Fertig" }, learned)).toBe(false);
    expect(isDropped({ id: "9", name: "Duplicate" }, learned)).toBe(true);
    expect(withIds(learned, [{ id: "9", name: "Duplicate" }])).toBe(learned);
    expect(withIds(learned, [])).toBe(learned);
  });

  it("keeps its id where the names are changed, and loses it with its name", () => {
    const learned = withIds([{ id: null, name: "Duplicate" }], [duplicate]);
    const kept = renamed(["Sold", "duplicate", "Duplicate"], learned);
    expect(kept).toEqual([
      { id: null, name: "Sold" },
      { id: "3", name: "Duplicate" },
    ]);
    expect(renamed(["Duplicate"], renamed(["Sold"], learned))).toEqual([{ id: null, name: "Duplicate" }]);
  });
});
