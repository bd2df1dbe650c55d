import type { Command } from "../command.ts";
import { findEstimation, findOption, namedOptions } from "../find.ts";
import { difference, figure } from "../screen/figures.ts";
import { clean } from "../screen/text.ts";

export const choose: Command = {
  takes: "ID OPTION",
  summary: "Select an option; where one answer is chosen, it takes the place of the others",
  says: "OPTION is the id of an option, its title, or the end of its path, such as 'Payment / Card'.",
  calls: ["getTree", "getTreeHours", "selectOption", "deselectOption"],
  flags: [{ name: "off", field: "off", kind: "switch", says: "Deselects it instead" }],
  examples: [
    ["estimate choose 'Web shop' PayPal", "selects an option by its title"],
    ["estimate choose est_01k6z0c9v3e8rbt5w2yq4nmhxd 'Payment / PayPal' --off", "deselects it"],
  ],
  async run([given = "", option = ""], { off }, { connect, json, print, printJson }) {
    const { client } = connect();
    const id = await findEstimation(client, given);
    const params = { id };
    const [{ data: before }, { data: trees }] = [
      await client.getTreeHours({ params }),
      await client.getTree({ params }),
    ];
    const options = namedOptions(trees.tree.nodes);
    const chosen = findOption(options, option);
    const place = { params: { id, optionId: chosen.id } };
    const { data } = off ? await client.deselectOption(place) : await client.selectOption(place);
    if (json) return printJson(data);
    print(`${off ? "Deselected" : "Selected"} ${clean(chosen.path)}.`);
    const others = "deselected" in data ? (data.deselected as readonly string[]) : [];
    for (const other of others) print(`Deselected ${clean(options.find(({ id }) => id === other)?.path ?? other)}.`);
    const { p50, p80 } = data.hours;
    print(
      `P50 ${figure(p50)} (${difference(p50 - before.hours.p50)}), P80 ${figure(p80)} (${difference(p80 - before.hours.p80)}) hours`,
    );
  },
};
