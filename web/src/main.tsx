import './app/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { readApiOrigin } from './shared/api/index.ts'
import { openI18n } from './shared/i18n/index.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element with the id root')
readApiOrigin()
const i18n = await openI18n()
createRoot(root).render(
  <StrictMode>
    <App i18n={i18n} />
  </StrictMode>,
)
