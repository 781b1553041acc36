import { ChevronsDown } from 'lucide-react'
import { Children, useEffect, useLayoutEffect, useRef, useState, type FocusEvent, type ReactNode } from 'react'
import { IconButton } from './IconButton'
import './foldingBar.css'

interface FoldingBarProps {
  readonly label: string
  readonly className?: string
  readonly children: ReactNode
}

export function FoldingBar({ label, className = '', children }: FoldingBarProps) {
  const tools = useRef<HTMLDivElement>(null)
  const count = Children.count(children)
  const [folds, setFolds] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useLayoutEffect(() => {
    const element = tools.current
    if (!element) return undefined
    const measure = () => setFolds([...element.children].some(isFolded))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [count])
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const inTools = [...(tools.current?.children ?? [])].find((child) => child.contains(target))
    if (inTools && isFolded(inTools)) setOpen(true)
  }
  // The keyboard may be elsewhere: a click on a button leaves it with the C64.
  useEffect(() => {
    if (!isOpen) return undefined
    const close = () => setOpen(false)
    const closeElsewhere = ({ target }: Event) => {
      const bar = tools.current?.parentElement
      const hasPopover = bar?.querySelector('[aria-expanded=true]')
      if (target instanceof Node && !bar?.contains(target) && !hasPopover) close()
    }
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') close()
    }
    document.addEventListener('pointerdown', closeElsewhere)
    document.addEventListener('focusin', closeElsewhere)
    document.addEventListener('keydown', closeByKey)
    return () => {
      document.removeEventListener('pointerdown', closeElsewhere)
      document.removeEventListener('focusin', closeElsewhere)
      document.removeEventListener('keydown', closeByKey)
    }
  }, [isOpen])
  return (
    <div className={`folding-bar ${className}`} data-open={isOpen && folds} onFocus={onFocus}>
      <div ref={tools} className="folding-tools" role="toolbar" aria-label={label}>
        {children}
      </div>
      {folds ? (
        <IconButton
          label="More tools"
          icon={ChevronsDown}
          look="plain"
          pressed={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      ) : null}
    </div>
  )
}

const isFolded = (tool: Element): boolean =>
  tool instanceof HTMLElement && tool.offsetTop >= (tool.offsetParent?.clientHeight ?? Infinity)
