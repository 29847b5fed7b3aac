import { useText } from '../../shared/i18n/index.ts'
import { CodeBlock } from '../../shared/markdown/code-block.tsx'
import { Choice } from '../../shared/ui/index.ts'
import { type ExampleName, exampleLanguages, examples } from './examples/index.ts'
import { useReader } from './reader.ts'

const grammars = { curl: 'bash', python: 'python', node: 'javascript' } as const

/** An example in the reader's language, with a language switch for all examples. */
export function ExampleBox({ name }: { name: ExampleName }) {
  const { t } = useText()
  const { values, language, chooseLanguage } = useReader()
  const title = t(`docs.${name}`)
  return (
    <div className="min-w-0">
      <div className="mb-2 flex">
        <Choice
          label={t('docs.language', { title })}
          value={language}
          onChange={chooseLanguage}
          options={exampleLanguages.map((one) => ({ name: one, text: t(`docs.language.${one}`) }))}
        />
      </div>
      <div className="markdown">
        <div>
          <CodeBlock code={examples[name](values)[language].trimEnd()} language={grammars[language]} open={false} />
        </div>
      </div>
    </div>
  )
}
