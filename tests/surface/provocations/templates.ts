import { start } from "../../harness.ts";
import type { Provocation, Provoking } from "./provoking.ts";
import { newcomer, userWithVersions } from "./users.ts";

export const templateErrors = ({ app, asOwner, mailing }: Provoking) => {
  async function aTemplate(of: { send: Awaited<ReturnType<typeof newcomer>>["send"]; estimationId: string }) {
    const body = { estimationId: of.estimationId, name: "x" };
    return String((await of.send("POST", "/api/templates", body)).data.template?.id);
  }

  const templateEmpty = async () => {
    const { data } = await asOwner("POST", "/api/estimations", { body: { title: "Empty" } });
    const body = { estimationId: data.estimation?.id, name: "Nothing" };
    return asOwner("POST", "/api/templates", { body });
  };

  return {
    template_empty: templateEmpty,
    "createTemplate not_found": () =>
      asOwner("POST", "/api/templates", { body: { estimationId: "est_none", name: "x" } }),
    "createTemplate forbidden": async () => {
      const { send, estimationId } = await newcomer(await mailing());
      return send("POST", "/api/templates", { estimationId, name: "x", visibility: "instance" });
    },
    "createTemplate template_empty": templateEmpty,
    "createTemplate limit_reached": async () => {
      const small = await start({ config: { quotas: { ...app.services.config.quotas, templates: 0 } } });
      const { token } = await small.signUp();
      const { data } = await small.request("POST", "/api/estimations", { token, body: { title: "x" } });
      const estimationId = data.estimation?.id;
      const nodes = [{ title: "n", kind: "group" }];
      await small.request("PUT", `/api/estimations/${estimationId}/tree`, { token, body: { nodes } });
      return small.request("POST", "/api/templates", { token, body: { estimationId, name: "x" } });
    },
    "updateTemplate forbidden": async () => {
      const { send, estimationId } = await newcomer(await mailing());
      const id = await aTemplate({ send, estimationId });
      return send("PATCH", `/api/templates/${id}`, { visibility: "instance" });
    },
    "updateTemplate limit_reached": async () => {
      const small = await start({ config: { quotas: { ...app.services.config.quotas, instanceTemplates: 0 } } });
      const { token } = await small.signUp();
      const { data } = await small.request("POST", "/api/estimations", { token, body: { title: "x" } });
      const estimationId = data.estimation?.id;
      const nodes = [{ title: "n", kind: "group" }];
      await small.request("PUT", `/api/estimations/${estimationId}/tree`, { token, body: { nodes } });
      const made = await small.request("POST", "/api/templates", { token, body: { estimationId, name: "x" } });
      const path = `/api/templates/${made.data.template?.id}`;
      return small.request("PATCH", path, { token, body: { visibility: "instance" } });
    },
    "deleteTemplate forbidden": async () => {
      const { data } = await asOwner("POST", "/api/estimations", { body: { title: "x" } });
      const estimationId = data.estimation?.id;
      const nodes = [{ title: "n", kind: "group" }];
      await asOwner("PUT", `/api/estimations/${estimationId}/tree`, { body: { nodes } });
      const body = { estimationId, name: "x", visibility: "instance" };
      const { template } = (await asOwner("POST", "/api/templates", { body })).data;
      const { token } = await app.signUp();
      return app.request("DELETE", `/api/templates/${template?.id}`, { token });
    },
    "applyTemplate limit_reached": async () => {
      const { send, estimationId } = await userWithVersions(app);
      const templateId = await aTemplate({ send, estimationId });
      return send("POST", "/apply-template", { templateId, mode: "append" });
    },
  } satisfies Record<string, Provocation>;
};
