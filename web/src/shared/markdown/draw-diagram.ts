import mermaid from 'mermaid'

/** mermaid's settings: no HTML, only shapes and text. */
const settings = {
  startOnLoad: false,
  securityLevel: 'strict',
  htmlLabels: false,
  suppressErrorRendering: true,
  maxTextSize: 10_000,
  maxEdges: 200,
  deterministicIds: true,
  fontFamily: 'system-ui, sans-serif',
} as const

const wholeSettings = [
  'secure',
  'securityLevel',
  'startOnLoad',
  'maxTextSize',
  'maxEdges',
  'htmlLabels',
  'theme',
  'themeCSS',
  'themeVariables',
  'fontFamily',
  'dompurifyConfig',
]

/** Renders a diagram to a standalone SVG. Throws for an invalid diagram. */
export async function drawDiagram(source: string, id: string, dark: boolean): Promise<string> {
  mermaid.initialize({
    ...settings,
    flowchart: { htmlLabels: false },
    secure: wholeSettings,
    theme: 'base',
    look: 'classic',
    themeVariables: { ...pageColours(), darkMode: dark },
  })
  const { svg } = await mermaid.render(id, source)
  return standAlone(svg)
}

/** The page's colours, by mermaid's variable names. */
function pageColours(): Record<string, string> {
  const page = getComputedStyle(document.documentElement)
  const colour = (name: string): string => page.getPropertyValue(`--${name}`).trim()
  const [ink, faint, surface, border, box] = ['ink', 'ink-3', 'bubble', 'field-line', 'code'].map(colour) as Five
  const series = ['brand', 'warn', 'code-function', 'code-keyword', 'code-string', 'danger'].map(colour)
  return {
    background: box,
    primaryColor: surface,
    primaryTextColor: ink,
    primaryBorderColor: border,
    secondaryColor: colour('overlay'),
    tertiaryColor: colour('raised'),
    tertiaryTextColor: ink,
    lineColor: faint,
    textColor: ink,
    edgeLabelBackground: box,
    clusterBkg: colour('raised'),
    clusterBorder: border,
    titleColor: ink,
    noteBkgColor: colour('raised'),
    noteBorderColor: colour('warn'),
    noteTextColor: ink,
    pieSectionTextColor: colour('page'),
    pieLegendTextColor: ink,
    pieTitleTextColor: ink,
    pieStrokeColor: box,
    pieOuterStrokeColor: border,
    pieOpacity: '1',
    ...Object.fromEntries(series.map((value, index) => [`pie${index + 1}`, value])),
    fontSize: '14px',
  }
}

type Five = [string, string, string, string, string]

const dropped = 'script, foreignObject, image, iframe, object, embed, a, animate, set, use[href^="http"]'

/** Removes scripts and external references. The result is shown as an image, which cannot run or fetch anything anyway. */
function standAlone(svg: string): string {
  const { documentElement: root } = new DOMParser().parseFromString(svg, 'image/svg+xml')
  if (root.nodeName !== 'svg') throw new Error('A diagram was not drawn as SVG')
  for (const element of root.querySelectorAll(dropped)) element.remove()
  for (const element of [root, ...root.querySelectorAll('*')]) {
    for (const { name, value } of [...element.attributes]) {
      const foreign = /href$/i.test(name) && !value.startsWith('#')
      if (/^on/i.test(name) || foreign || /url\(\s*["']?(?!#|["']?#)/i.test(value)) element.removeAttribute(name)
    }
  }
  // An image cannot take the width of the page, so it gets its own size.
  const [, , width, height] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/)
  if (width && height) {
    root.setAttribute('width', width)
    root.setAttribute('height', height)
  }
  return new XMLSerializer().serializeToString(root)
}
