import type { AllInOneConfig } from './config.ts'

type Ports = Pick<AllInOneConfig, 'PORT' | 'INBOX_PORT' | 'METRICS_PORT'>

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'needs more rights than this user has',
}

/**
 * The operator's message when Parley cannot start: the reason, and for an unavailable port the variable that sets it.
 * @param ports undefined if the variables are invalid
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
