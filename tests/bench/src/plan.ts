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
  readonly messages: number
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
  messages: 1_000,
}

/** Shows in a minute or two that everything works; its figures are too few to be quoted. */
export const quickPlan: Plan = {
  ...fullPlan,
  rounds: 3,
  starts: 1,
  firstBytesEach: 15,
  chatRounds: 1,
  chatSeconds: 4,
  messages: 200,
}
