/** How much one run measures. */
export interface Plan {
  readonly rounds: number
  readonly starts: number
  readonly chunkStreams: number
  readonly chunksEach: number
  readonly firstBytesEach: number
  readonly chatRounds: number
  readonly chats: number
  readonly chatSeconds: number
  readonly cutStreams: number
  readonly cutsEach: number
  readonly cutSeconds: number
  readonly sockets: number
  readonly socketStreams: number
  readonly messages: number
  readonly longChat: number
  /** Calls of each kind per round. */
  readonly openings: number
  readonly historyChats: number
  readonly historyCalls: number
  readonly heldStreams: number
  readonly heldRounds: number
  readonly paintedAnswers: number
  /** Number of accounts that sign in, and of calls of each kind about accounts. */
  readonly signIns: number
  /** Calls of /v1 per round: of each hop concurrently, of each hop in sequence, and calls whose callers leave. */
  readonly apiCalls: number
  readonly apiCallsInTurn: number
  readonly apiLeavers: number
  /** Streams open at once in a gateway process. */
  readonly apiStreams: number
  readonly soakMinutes: number
  /** Look-ups of memories per round. */
  readonly lookUps: number
  /** Accounts in the administration's lists. */
  readonly seededUsers: number
}

/** Measures the figures that the performance goals refer to. */
export const fullPlan: Plan = {
  rounds: 7,
  starts: 5,
  chunkStreams: 50,
  chunksEach: 1_000,
  firstBytesEach: 40,
  chatRounds: 5,
  chats: 500,
  chatSeconds: 10,
  cutStreams: 1_000,
  cutsEach: 5,
  cutSeconds: 60,
  sockets: 2_000,
  socketStreams: 500,
  messages: 1_000,
  longChat: 10_000,
  openings: 100,
  historyChats: 10_000,
  historyCalls: 15,
  heldStreams: 3_000,
  heldRounds: 5,
  paintedAnswers: 20,
  signIns: 200,
  apiCalls: 300,
  apiCallsInTurn: 60,
  apiLeavers: 500,
  apiStreams: 8_000,
  soakMinutes: 10,
  lookUps: 100,
  seededUsers: 100_000,
}

/** Takes a minute or two and shows that everything works; its samples are too small to quote. */
export const quickPlan: Plan = {
  ...fullPlan,
  rounds: 3,
  starts: 1,
  firstBytesEach: 15,
  chatRounds: 1,
  chatSeconds: 4,
  cutStreams: 100,
  cutSeconds: 12,
  sockets: 400,
  socketStreams: 100,
  messages: 200,
  openings: 30,
  historyChats: 1_000,
  heldStreams: 500,
  heldRounds: 1,
  paintedAnswers: 8,
  signIns: 50,
  apiCalls: 60,
  apiCallsInTurn: 15,
  apiLeavers: 50,
  apiStreams: 500,
  soakMinutes: 1,
  lookUps: 50,
  seededUsers: 2_000,
}
