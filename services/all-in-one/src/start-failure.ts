import type { AllInOneConfig } from './config.ts'

type Ports = Pick<AllInOneConfig, 'PORT' | 'INBOX_PORT' | 'METRICS_PORT'>

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'may not be opened by this user',
}

/**
 * What an operator reads when Parley cannot start: the reason, and of a port that cannot be had which variable chooses another one.
 * @param ports undefined where the variables could not be read
 */
export function startFailure(error: unknown, ports: Ports | undefined): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '', port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string }
  const reason = reasons[code]
  if (reason === undefined || port === undefined) return error.message
  const variable = (['PORT', 'INBOX_PORT', 'METRICS_PORT'] as const).find((name) => ports?.[name] === port)
  const remedy = variable ? `: set ${variable} to another one` : ''
  return `Port ${port} of ${address} ${reason}${remedy}`
}
