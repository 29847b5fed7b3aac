// Exits with 0 if the path (the first argument, by default /readyz) responds with success.
const path = process.argv[2] ?? '/readyz'
try {
  const answer = await fetch(`http://127.0.0.1:${process.env.PORT}${path}`, { signal: AbortSignal.timeout(8_000) })
  process.stdout.write((await answer.text()).slice(0, 500))
  process.exitCode = answer.ok ? 0 : 1
} catch (error) {
  process.stdout.write(String(error.cause ?? error))
  process.exitCode = 1
}
