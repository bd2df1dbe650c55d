export { forgetInvited, recordActivities, recordActivity, recordEdit } from "./activity-store.ts";
export { type ContentCall, changeContent, type StateCall, setStatus } from "./change-content.ts";
export { endTeamJob, estimationJobs } from "./jobs.ts";
export {
  type Follower,
  followersOf,
  insertStream,
  LIVE_CHANNEL,
  namesOf,
  placesOf,
  readNews,
  removePlace,
  removeStaleStreams,
  removeStream,
  renewStreams,
  setPlaces,
  teamsOf,
  tellAnswered,
  tellNotified,
} from "./live-store.ts";
export {
  accessOf,
  estimationLookUp,
  type LockedEstimation,
  levelOf,
  lockEstimations,
  lockForOwnRecord,
  type ReadableEstimation,
  readTree,
} from "./look-up-store.ts";
export { DEFAULTS, makeEstimation, type ShareNew } from "./make-estimation.ts";
export { presentEstimation } from "./present.ts";
export { presentNode, presentNodes, presentOption } from "./present-tree.ts";
export {
  addShared,
  fellowReadersOf,
  isReader,
  isWorkedOn,
  listWorkedOn,
  noteChange,
  setReader,
  setTeamLevel,
} from "./reader-store.ts";
export { type Forget, removeDeleted, removeForGood, removeRows } from "./removal-store.ts";
export { isTreeId } from "./removed-id-store.ts";
export { noteContent, setReviewState } from "./reviewed-store.ts";
export { type EstimationRow, markExample, setOwner } from "./store.ts";
export { activityEntries, estimationReaders, estimations, reviewedContents } from "./tables.ts";
export { tellReaders, webPages } from "./tell-readers.ts";
export { loadTimeline, type TimelineContent } from "./timeline-store.ts";
export { retainedSince } from "./trash.ts";
export { loadTree, loadTreeText } from "./tree-store.ts";
export {
  accountTexts,
  accountVersions,
  bytesOfTexts,
  halfOf,
  moveUsage,
  partOf,
  STEP_BYTES,
  subtractVersions,
} from "./usage-store.ts";
