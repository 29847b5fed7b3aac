/**
 * Runs the start of a process. When it fails, the process ends with 1: what its variables or its machine lack is said in one line each,
 * since a stack would only hide it; a fault of the program comes with its stack.
 */
export async function runMain(start: () => Promise<void>): Promise<void> {
  try {
    await start()
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`)
    process.exit(1)
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Faults of the machine, of an engine or of the operator have a code; so do Node's own, which are bugs of the program.
  const { code } = error as { code?: unknown }
  const foreseen = error.name === 'ConfigError' || (typeof code === 'string' && !code.startsWith('ERR_'))
  return foreseen ? error.message : (error.stack ?? error.message)
}
