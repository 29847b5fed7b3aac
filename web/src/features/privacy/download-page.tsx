import { useMutation } from '@tanstack/react-query'
import { CircleCheck, Download } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { apiFetch, endpoints, isApiError, messageOf, pathOf } from '../../shared/api/index.ts'
import { FormAlert } from '../../shared/forms/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { saveResponse } from '../../shared/save-file.ts'
import { Brand, Button, Link } from '../../shared/ui/index.ts'
import { type ExportLink, readExportLink } from './export-link.ts'

/** Timeout in milliseconds for a copy of up to 100 MB on a slow connection. */
const timeoutMs = 10 * 60_000

interface Props {
  readonly homePath: string
  /** Where another copy can be requested. */
  readonly requestPath: string
}

/** `/data-export`: downloads the copy of a mailed link. Its token is sent by POST, so that it does not appear in any logged URL. */
export function DownloadPage({ homePath, requestPath }: Props) {
  const { t } = useText()
  const navigate = useNavigate()
  const { hash, pathname } = useLocation()
  const [link] = useState(() => readExportLink(hash))
  useEffect(() => {
    // The token gives access to all of a user's data, so it is removed from the URL and the history.
    if (hash !== '') navigate(pathname, { replace: true })
  }, [hash, navigate, pathname])
  const download = useMutation({ mutationFn: save })
  const isGone = link === null || (isApiError(download.error) && download.error.status === 404)
  if (isGone) {
    return (
      <Card homePath={homePath} title={t('privacy.download.goneTitle')} lead={t('privacy.download.gone')} said>
        <Link to={requestPath} className="target rounded-sm font-medium text-brand hover:underline">
          {t('privacy.download.again')}
        </Link>
      </Card>
    )
  }
  return (
    <Card homePath={homePath} title={t('privacy.download.title')} lead={t('privacy.download.lead')}>
      <FormAlert message={download.isError ? messageOf(download.error, t('privacy.download.failed')) : undefined} />
      <Button look="primary" size="large" busy={download.isPending} onClick={() => download.mutate(link)}>
        <Download className="size-4" />
        {t('privacy.download.button')}
      </Button>
      <p role="status" className="mt-4 flex gap-2 text-sm text-ink-2">
        {download.isSuccess && (
          <>
            <CircleCheck className="mt-0.5 size-4 shrink-0" />
            {t('privacy.download.done')}
          </>
        )}
      </p>
    </Card>
  )
}

async function save({ id, token }: ExportLink): Promise<void> {
  const { method } = endpoints.downloadDataExport
  const response = await apiFetch(pathOf(endpoints.downloadDataExport, { params: { id } }), {
    method,
    timeoutMs,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  await saveResponse(response, 'parley-data.zip')
}

interface CardProps {
  readonly homePath: string
  readonly title: string
  readonly lead: string
  readonly children: ReactNode
  /** It replaced the button: its title takes the focus and is announced. */
  readonly said?: boolean
}

function Card({ homePath, title, lead, children, said = false }: CardProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (said) heading.current?.focus()
  }, [said])
  return (
    <main className="grid min-h-dvh place-items-center px-6 py-10">
      <title>{`${title} · Parley`}</title>
      <div className="w-full max-w-card">
        <Link to={homePath} className="mb-7 inline-block rounded-row">
          <Brand size={26} />
        </Link>
        <h1
          ref={heading}
          tabIndex={said ? -1 : undefined}
          className="mb-1.5 text-2xl leading-tight font-semibold tracking-tight outline-none"
        >
          {title}
        </h1>
        <p className="mb-6 text-ink-2">{lead}</p>
        {children}
      </div>
    </main>
  )
}
