import { exitCodeOf, presentFindings, runMain } from '@parley/kit'
import { examineAllInOne } from './examine.ts'

/** `npm run doctor`: checks what `npm start` needs, whether Parley is running or not; exits with 1 if anything is wrong. */
await runMain(async () => {
  const findings = await examineAllInOne()
  for (const line of presentFindings(findings)) console.log(line)
  process.exitCode = exitCodeOf(findings)
})
