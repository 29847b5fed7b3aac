import { join } from 'node:path'
import { startNativePostgres, startNativeRedis } from '../src/index.ts'

// A process for tests to kill: starts two engines and prints their pids.
const [folder = ''] = process.argv.slice(2)
const engines = [
  await startNativePostgres({ folder: join(folder, 'postgres') }),
  await startNativeRedis({ folder: join(folder, 'redis') }),
]
process.send?.(engines.map(({ pid }) => pid))
