import { ChevronRight } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { Fragment, useEffect } from 'react'
import { closeContextMenu, useContextMenu, type MenuEntry, type MenuItem } from '../client/contextMenu'

function askForMenu(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.key !== 'F10' || !event.shiftKey || event.ctrlKey || event.altKey) return
  event.preventDefault()
  document.activeElement?.dispatchEvent(new PointerEvent('contextmenu', { bubbles: true, cancelable: true }))
}

export function ContextMenu() {
  const opened = useContextMenu((state) => state.opened)
  useEffect(() => {
    window.addEventListener('keydown', askForMenu)
    return () => window.removeEventListener('keydown', askForMenu)
  }, [])
  if (opened === null) return null
  const { title, items, x, y, returnTo } = opened
  return (
    <DropdownMenu.Root open modal={false} onOpenChange={closeContextMenu} key={`${title} ${x} ${y}`}>
      <DropdownMenu.Trigger asChild>
        <span className="menu-anchor" style={{ left: x, top: y }} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="popover context-menu"
          align="start"
          collisionPadding={8}
          aria-label={title}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // What was chosen may have moved the keyboard elsewhere.
            if (document.activeElement === document.body && returnTo instanceof HTMLElement) returnTo.focus()
          }}
        >
          <DropdownMenu.Label className="data muted">{title}</DropdownMenu.Label>
          <Entries entries={items} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const Entries = ({ entries }: { readonly entries: readonly MenuEntry[] }) =>
  entries.map((entry) => (
    <Fragment key={entry.label}>
      {entry.isFirstOfGroup ? <DropdownMenu.Separator /> : null}
      {'items' in entry ? <SubMenu label={entry.label} items={entry.items} /> : <Item item={entry} />}
    </Fragment>
  ))

const SubMenu = ({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }) => (
  <DropdownMenu.Sub>
    <DropdownMenu.SubTrigger className="sub-menu">
      <span>{label}</span>
      <ChevronRight size={14} strokeWidth={1.75} aria-hidden />
    </DropdownMenu.SubTrigger>
    <DropdownMenu.Portal>
      <DropdownMenu.SubContent className="popover context-menu" collisionPadding={8}>
        <Entries entries={items} />
      </DropdownMenu.SubContent>
    </DropdownMenu.Portal>
  </DropdownMenu.Sub>
)

function Item({ item: { label, why, shortcut, run } }: { readonly item: MenuItem }) {
  const limit = why ?? null
  return (
    <DropdownMenu.Item
      aria-disabled={limit !== null}
      onSelect={(event) => {
        if (limit === null) run()
        else event.preventDefault()
      }}
    >
      <span>{label}</span>
      {shortcut === undefined ? null : <kbd>{shortcut}</kbd>}
      {limit === null ? null : <span className="why">{limit}</span>}
    </DropdownMenu.Item>
  )
}
