import { Ellipsis } from 'lucide-react'
import type { ComponentProps } from 'react'
import { IconButton } from './icon-button.tsx'
import { Menu } from './menu.tsx'

/** A button with three dots that opens a menu of actions; its label names the menu, too. */
export function OptionsMenu({ children, ...button }: ComponentProps<typeof IconButton>) {
  return (
    <Menu
      label={button.label}
      align="end"
      trigger={(trigger) => (
        <IconButton {...button} {...trigger}>
          <Ellipsis className="size-4.5" />
        </IconButton>
      )}
    >
      {children}
    </Menu>
  )
}
