import { exitCodeOf, presentFindings, runMain } from '@parley/kit'
import { examineAllInOne } from './examine.ts'

/** `npm run doctor`: looks at what `npm start` needs, whether Parley runs or not; 1 when anything is in the way. */
await runMain(async () => {
  const findings = await examineAllInOne()
  for (const line of presentFindings(findings)) console.log(line)
  process.exitCode = exitCodeOf(findings)
})
