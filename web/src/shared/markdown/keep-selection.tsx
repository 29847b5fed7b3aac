import { Component, createRef, type ReactNode } from 'react'
import { type BoxProps, PlainBox } from './plain-box.tsx'

/** Characters of the box before the selection's ends. */
type Ends = readonly [anchor: number, focus: number] | null

/** A box in which text stays selected while the answer grows: changing a node's text clears the selection in it. */
export class KeepSelection extends Component<BoxProps> {
  private readonly box = createRef<HTMLDivElement>()

  override getSnapshotBeforeUpdate(): Ends {
    return endsIn(this.box.current)
  }

  override componentDidUpdate(_: BoxProps, __: unknown, ends: Ends): void {
    const box = this.box.current
    // Only if it was lost: setting it would disturb a selection that is being dragged.
    if (!box || !ends || `${endsIn(box)}` === `${ends}`) return
    const [anchor, focus] = ends.map((end) => placeOf(box, end))
    if (anchor && focus) getSelection()?.setBaseAndExtent(...anchor, ...focus)
  }

  override render(): ReactNode {
    return <PlainBox ref={this.box} {...this.props} />
  }
}

function endsIn(box: Node | null): Ends {
  const selection = getSelection()
  if (!box || !selection || selection.isCollapsed) return null
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection
  if (!box.contains(anchorNode) || !box.contains(focusNode)) return null
  const before = (node: Node | null, offset: number): number => {
    const range = document.createRange()
    range.setStart(box, 0)
    range.setEnd(node as Node, offset)
    return `${range}`.length
  }
  return [before(anchorNode, anchorOffset), before(focusNode, focusOffset)]
}

function placeOf(box: Node, end: number): [Node, number] | undefined {
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
  let left = end
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const { length } = node.nodeValue ?? ''
    if (left <= length) return [node, left]
    left -= length
  }
}
