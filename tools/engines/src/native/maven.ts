import { recipeFile } from './provision.ts'
import { runProgram } from './run-program.ts'

/**
 * Copies a recipe's libraries and their dependencies into `folder`.
 * @param pom file name of the recipe
 * @throws Error with the reason if Maven is missing or cannot fetch them
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
