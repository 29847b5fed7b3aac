/** The variables of scripts. */
export const readScriptConfig = () => ({
  /** Whether tests that cannot run count as failed. */
  strict: process.env.CI === 'true',
  /** The base image of services, instead of the Dockerfile's. */
  nodeImage: process.env.NODE_IMAGE || undefined,
  /** The path of a Chromium. */
  chromePath: process.env.CHROME_PATH,
  /** The folders in PATH. */
  path: (process.env.PATH ?? '').split(':'),
})

/** This process's environment with additional variables, for a child process. */
export const environmentWith = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...more,
})
