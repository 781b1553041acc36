import { call } from './call'

/** Asked for before the rest of the page's script runs, so that the first picture of the window is the remembered one. */
export const windowInfo = call('window.info', {})
