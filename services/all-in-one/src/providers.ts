import type { AllInOneConfig } from './config.ts'
import { demoVariables, noKey } from './demo/variables.ts'

/** The variables, with every unconfigured provider replaced by the demo. */
export function withDemo(config: AllInOneConfig, demoUrl: string): AllInOneConfig {
  const keyless = [...config.configured].map((id) => `${id.toUpperCase()}_API_KEY`).filter((name) => !config[name])
  return {
    ...config,
    ...Object.fromEntries(keyless.map((name) => [name, noKey])),
    ...demoVariables((id) => config.configured.has(id), demoUrl),
  }
}
