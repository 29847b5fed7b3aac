import { recipeFile } from './provision.ts'
import { runProgram } from './run-program.ts'

/**
 * Copies a recipe's libraries and what they need into `folder`.
 * @param pom name of the recipe's file
 * @throws Error that says why, when there is no Maven or it cannot fetch them
 */
export async function copyLibraries(pom: string, folder: string): Promise<void> {
  await runProgram('mvn', [
    '--quiet',
    '--batch-mode',
    `--file=${recipeFile(pom)}`,
    'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies',
    '-DincludeScope=runtime',
    `-DoutputDirectory=${folder}`,
  ])
}
