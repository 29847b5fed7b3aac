import { type StreamEvent, streamEventSchema } from '@parley/contracts'

/** An event as its line in the stream. Its keys are put in the contract's order: a document store may give them back in another one. */
export const eventLine = (event: StreamEvent): string => JSON.stringify(streamEventSchema.parse(event))
