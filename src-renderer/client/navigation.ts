import type { ViewName } from '@shared/views'

type Show = (view: ViewName) => Promise<void>

let show: Show = () => Promise.resolve()

export const setNavigation = (navigate: Show): void => {
  show = navigate
}

export const showView: Show = (view) => show(view)
