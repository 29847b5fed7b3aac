import { createPortAllocator } from '@parley/split'

/** Gives a port that nothing listens on, for a server that has to come back on it, and that no outgoing connection is given meanwhile. */
export const freePort = createPortAllocator()
