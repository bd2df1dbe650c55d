/** Where the description comes from; `npm run describe:github` cuts it. */
export const GITHUB_PACKAGE = { name: "@octokit/openapi", version: "23.0.2" } as const;

const repository = "/repos/{owner}/{repo}";

/** The operations that exports use. Tests treat all others as unknown to GitHub. */
export const githubOperations = [
  "GET /rate_limit",
  "GET /user/repos",
  `GET ${repository}`,
  `GET ${repository}/issues`,
  `POST ${repository}/issues`,
  `GET ${repository}/issues/{issue_number}`,
  `PATCH ${repository}/issues/{issue_number}`,
  `GET ${repository}/issues/{issue_number}/comments`,
  `POST ${repository}/issues/{issue_number}/comments`,
  `POST ${repository}/issues/{issue_number}/sub_issues`,
  `GET ${repository}/labels/{name}`,
  `POST ${repository}/labels`,
  `GET ${repository}/milestones`,
  `POST ${repository}/milestones`,
] as const;
