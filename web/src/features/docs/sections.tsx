import { CopyButton } from '../../shared/copy-button.tsx'
import { copyText } from '../../shared/copy-text.ts'
import { type MessageId, useText } from '../../shared/i18n/index.ts'
import { Table, TextLink } from '../../shared/ui/index.ts'
import { Code } from './code.tsx'
import { callNames, calls, plainSections, programErrorCodes, programErrors } from './contents.ts'
import { ExampleBox } from './example-box.tsx'
import type { ExampleName } from './examples/index.ts'
import { KeyMaker } from './key-maker.tsx'
import { Limits } from './limits.tsx'
import { useReader } from './reader.ts'
import { Section } from './section.tsx'
import { TryIt } from './try-it.tsx'
import { Words } from './words.tsx'

/** What is said in place of examples that would fail because there is no model for them. */
const lackingTexts: Partial<Record<ExampleName, MessageId>> = {
  embeddings: 'docs.embeddings.lacking',
  images: 'docs.images.lacking',
}

const troubles = ['key', 'address', 'stream', 'browser', 'limit', 'cut'] as const
const link = 'rounded-sm text-brand underline underline-offset-2'

export function Sections({ models }: { models: readonly { readonly id: string; readonly name: string }[] }) {
  const { t } = useText()
  const { paths, lacking } = useReader()
  return (
    <>
      <Overview />
      <Section name="keys">
        <p>{t('docs.keys.text')}</p>
        <p>
          <Words id="docs.keys.manage" more={{ link: <TextLink to={paths.keys} /> }} />
        </p>
        <KeyMaker />
      </Section>
      <Section name="authentication">
        <p>
          <Words id="docs.authentication.text" />
        </p>
        <p>{t('docs.authentication.care')}</p>
      </Section>
      <Section name="quickStart">
        <p>{t('docs.quickStart.text')}</p>
        <ExampleBox name="quickStart" />
      </Section>
      <Section name="endpoints">
        <p>
          <Words id="docs.endpoints.text" />
        </p>
        <Table
          caption={t('docs.endpoints.table')}
          headings={[t('docs.endpoints.call'), t('docs.endpoints.what')]}
          rows={callNames.map((name) => {
            const { method, path } = calls[name]
            const code = `${method} ${path.replace(':id', '{id}')}`
            return { key: name, cells: [<Code key="code">{code}</Code>, t(`docs.endpoint.${name}`)] }
          })}
        />
      </Section>
      {plainSections.map((name) => (
        <Section key={name} name={name}>
          <p>
            <Words id={`docs.${name}.text`} />
          </p>
          {lacking.has(name) && lackingTexts[name] ? (
            <p className="rounded-card bg-warn-weak px-3.5 py-2.5">
              <Words id={lackingTexts[name]} />
            </p>
          ) : (
            <ExampleBox name={name} />
          )}
        </Section>
      ))}
      <Section name="credits">
        <p>
          <Words id="docs.credits.text" more={{ link: <TextLink to={paths.usage} /> }} />
        </p>
        <ExampleBox name="credits" />
      </Section>
      <Section name="limits">
        <p>{t('docs.limits.text')}</p>
        <ExampleBox name="limits" />
        <Limits />
      </Section>
      <Section name="errors">
        <p>
          <Words id="docs.errors.text" />
        </p>
        <ExampleBox name="errors" />
        <Table
          caption={t('docs.errors.table')}
          headings={[t('docs.errors.status'), t('docs.errors.code'), t('docs.errors.meaning')]}
          rows={programErrorCodes.map((code) => ({
            key: code,
            cells: [
              programErrors[code],
              <Code key="code">{code}</Code>,
              <Words key="text" id={`docs.error.${code}`} />,
            ],
          }))}
        />
      </Section>
      <Section name="idempotency">
        <p>
          <Words id="docs.idempotency.text" />
        </p>
        <ExampleBox name="idempotency" />
      </Section>
      <Section name="tryIt">
        <p>{t('docs.tryIt.text')}</p>
        <TryIt models={models} />
      </Section>
      <Section name="troubleshooting">
        <dl className="flex flex-col gap-4">
          {troubles.map((name) => (
            <div key={name}>
              <dt className="font-medium">{t(`docs.trouble.${name}.title`)}</dt>
              <dd className="mt-0.5 text-ink-2">
                <Words id={`docs.trouble.${name}`} />
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section name="changelog">
        <p>
          <Words id="docs.changelog.text" />
        </p>
        <dl>
          <dt className="font-medium">{t('docs.changelog.version', { version: '0.1' })}</dt>
          <dd className="mt-0.5 text-ink-2">{t('docs.changelog.first')}</dd>
        </dl>
      </Section>
    </>
  )
}

function Overview() {
  const { t } = useText()
  const { origin } = useReader().values
  return (
    <Section name="overview">
      <p>{t('docs.overview.text')}</p>
      <BaseUrl label={t('docs.overview.openai')} url={`${origin}/api/v1`} />
      <BaseUrl label={t('docs.overview.anthropic')} url={`${origin}/api`} />
      <p>
        <Words
          id="docs.overview.spec"
          more={{
            // biome-ignore lint/a11y/useAnchorContent: the text is put in by the catalog
            api: <a href={`${origin}/api/v1/openapi.json`} className={link} />,
            // biome-ignore lint/a11y/useAnchorContent: the text is put in by the catalog
            all: <a href={`${origin}/api/openapi.json`} className={link} />,
          }}
        />
      </p>
    </Section>
  )
}

function BaseUrl({ label, url }: { label: string; url: string }) {
  const { t } = useText()
  return (
    <div className="flex items-center gap-3 rounded-card border border-line bg-code py-1.5 ps-3.5 pe-1.5">
      <div className="min-w-0 flex-1">
        <p className="text-2xs text-ink-3">{label}</p>
        <code dir="ltr" className="block font-mono text-sm break-all text-start">
          {url}
        </code>
      </div>
      <CopyButton copy={() => copyText(url)} label={t('docs.overview.copy')} />
    </div>
  )
}
