import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where peers are installed: in no repository, and for all of them. `BENCH_PEERS_DIR` names another folder. */
export const peersDir =
  process.env.BENCH_PEERS_DIR ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'parley-bench')

/** Versions that are compared. */
export const versions = { portkey: '1.15.2', litellm: '1.93.2' } as const

/** What starts Portkey, and what starts LiteLLM. */
export const entries = {
  portkey: join(peersDir, 'portkey/node_modules/@portkey-ai/gateway/build/start-server.js'),
  litellm: join(peersDir, 'litellm/bin/litellm'),
} as const
