/** The variables that scripts are told by. */
export const readScriptConfig = () => ({
  /** Whatever cannot be run has failed. */
  strict: process.env.CI === 'true',
  /** The image that services are built on, instead of the Dockerfile's. */
  nodeImage: process.env.NODE_IMAGE || undefined,
  /** Of a Chromium. */
  chromePath: process.env.CHROME_PATH,
  /** Folders of programs. */
  path: (process.env.PATH ?? '').split(':'),
})

/** This process's environment with more in it, for a process that it starts. */
export const environmentWith = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...more,
})
