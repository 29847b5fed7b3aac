import { Component, createRef, type ReactNode } from 'react'
import { type BoxProps, PlainBox } from './plain-box.tsx'

/** Characters of the box before the selection's ends. */
type Ends = readonly [anchor: number, focus: number] | null

/** A box in which text stays selected while the answer grows: changing a node's text clears the selection in it. */
export class KeepSelection extends Component<BoxProps> {
  private readonly box = createRef<HTMLDivElement>()

  override getSnapshotBeforeUpdate(): Ends {
    const box = this.box.current
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

  override componentDidUpdate(_: BoxProps, __: unknown, ends: Ends): void {
    if (!ends) return
    const [anchor, focus] = ends.map((end) => placeOf(this.box.current as Node, end))
    const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection() ?? {}
    const present = [anchorNode, anchorOffset, focusNode, focusOffset]
    // Only if it was lost: setting it would disturb a selection that is being dragged.
    if (anchor && focus && [...anchor, ...focus].some((each, at) => each !== present[at]))
      getSelection()?.setBaseAndExtent(...anchor, ...focus)
  }

  override render(): ReactNode {
    return <PlainBox ref={this.box} {...this.props} />
  }
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
