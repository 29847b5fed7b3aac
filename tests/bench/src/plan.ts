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
  /** Calls of each kind in a round. */
  readonly openings: number
  readonly historyChats: number
  readonly historyCalls: number
  readonly heldStreams: number
  readonly heldRounds: number
  readonly paintedAnswers: number
  /** Accounts that sign in, and calls of each kind about accounts. */
  readonly signIns: number
  /** Calls of /v1 in a round: of each hop at once, and one after the other; and whose callers leave. */
  readonly apiCalls: number
  readonly apiCallsInTurn: number
  readonly apiLeavers: number
  /** Open at once in a process of the gateway. */
  readonly apiStreams: number
  readonly soakMinutes: number
  /** Accounts of the administration's lists. */
  readonly seededUsers: number
}

/** The figures of the performance goals. */
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
  seededUsers: 100_000,
}

/** Shows in a minute or two that everything works; its figures are too few to be quoted. */
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
  seededUsers: 2_000,
}
