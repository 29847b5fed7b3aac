import { homedir } from 'node:os'
import { join } from 'node:path'

/** Installation folder of the peers, outside any repository and shared by all. `BENCH_PEERS_DIR` overrides it. */
export const peersDir =
  process.env.BENCH_PEERS_DIR ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'parley-bench')

/** The compared versions. */
export const versions = { portkey: '1.15.2', litellm: '1.93.2' } as const

/** Executables of Portkey and LiteLLM. */
export const entries = {
  portkey: join(peersDir, 'portkey/node_modules/@portkey-ai/gateway/build/start-server.js'),
  litellm: join(peersDir, 'litellm/bin/litellm'),
} as const
