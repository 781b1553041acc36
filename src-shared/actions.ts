import { placeTitle, sharedViews, workspaceNamed, workspaceNames, type Place } from './workspaces'

/**
 * The one table of what a person can do in the window. The native menu, the command palette, the keyboard shortcuts,
 * the tooltips and the help page are all made from it.
 */
export const menus = ['File', 'Edit', 'Machine', 'View', 'Help'] as const
export type MenuName = (typeof menus)[number]

/** Groups that have a menu of their own, by menu and group: with them none has more than 20 items. */
export const submenus: Readonly<Record<MenuName, Readonly<Record<number, string>>>> = {
  File: { 4: 'Projects and runs', 5: 'Tasks and agents' },
  Edit: { 3: 'Memory', 5: 'Sprites and screens', 6: 'Pixels', 7: 'Sheet' },
  Machine: { 2: 'Run and step', 5: 'Device', 6: 'Streams and sampling', 7: 'Recording', 8: 'Agents' },
  View: { 3: 'Views', 4: 'Screen', 5: 'Panels', 6: 'Theme' },
  Help: {},
}

export interface Action {
  readonly title: string
  readonly menu: MenuName
  /** Electron's accelerator form; `CmdOrCtrl` is Ctrl except on macOS. */
  readonly accelerator?: string
  /** Items with the same number stand together: between two separators, or in one of the {@link submenus}. */
  readonly group: number
}

/** Shows a workspace, or a view in its workspace. */
export type ShowAction = `view.${Place}`

export const showActionOf = (place: Place): ShowAction => `view.${place}`

function showActions(): Record<ShowAction, Action> {
  const ofWorkspaces = workspaceNames.map((name): [string, Action] => {
    const { item, title, accelerator } = workspaceNamed(name)
    return [showActionOf(name), { title, menu: 'View', accelerator, group: item ? 1 : 2, ...item }]
  })
  const ofViews = sharedViews.map((view): [string, Action] => [
    showActionOf(view),
    { title: placeTitle(view), menu: 'View', group: 3 },
  ])
  return Object.fromEntries([...ofWorkspaces, ...ofViews]) as Record<ShowAction, Action>
}

export const actions = {
  'program.load': { title: 'Load and run a program…', menu: 'File', accelerator: 'CmdOrCtrl+O', group: 1 },
  'program.build': { title: 'Build and run', menu: 'File', accelerator: 'CmdOrCtrl+Shift+B', group: 1 },
  'program.setUpBuild': { title: 'Set up the build…', menu: 'File', group: 1 },
  'program.stopBuild': { title: 'Stop the build', menu: 'File', group: 1 },
  'program.stopWatching': { title: 'Stop rerunning it when rebuilt', menu: 'File', group: 1 },
  'state.save': { title: 'Save the machine’s state…', menu: 'File', accelerator: 'CmdOrCtrl+S', group: 2 },
  'state.saveReport': { title: 'Save a bug report…', menu: 'File', accelerator: 'CmdOrCtrl+Alt+B', group: 2 },
  'state.load': { title: 'Load a machine’s state…', menu: 'File', accelerator: 'CmdOrCtrl+Shift+O', group: 2 },
  'state.cancelLoad': { title: 'Cancel the replay', menu: 'File', accelerator: 'CmdOrCtrl+Alt+Y', group: 2 },
  'labels.load': { title: 'Load labels…', menu: 'File', group: 2 },
  'picture.save': { title: 'Save a screenshot…', menu: 'File', accelerator: 'CmdOrCtrl+Shift+S', group: 3 },
  'photo.open': { title: 'Convert a picture…', menu: 'File', group: 3 },
  'photo.save': { title: 'Save the converted picture…', menu: 'File', group: 3 },
  'graphics.export': { title: 'Export graphics…', menu: 'File', accelerator: 'CmdOrCtrl+E', group: 3 },
  'graphics.import': { title: 'Import graphics…', menu: 'File', accelerator: 'CmdOrCtrl+I', group: 3 },
  'project.open': { title: 'Open a project’s folder…', menu: 'File', accelerator: 'CmdOrCtrl+Alt+O', group: 4 },
  'project.trust': { title: 'Trust the project’s folder…', menu: 'File', accelerator: 'CmdOrCtrl+Shift+T', group: 4 },
  'project.search': { title: 'Search in all projects', menu: 'File', accelerator: 'CmdOrCtrl+Shift+F', group: 4 },
  'project.sample': { title: 'Open the sample project', menu: 'File', group: 4 },
  'project.worktrees': { title: 'Worktrees of the project', menu: 'File', group: 4 },
  'report.show': { title: 'Since you left', menu: 'File', accelerator: 'CmdOrCtrl+Alt+G', group: 4 },
  'run.new': { title: 'New run…', menu: 'File', group: 4 },
  'run.start': {
    title: 'Run the chosen run, or go on with it',
    menu: 'File',
    accelerator: 'CmdOrCtrl+Alt+R',
    group: 4,
  },
  'run.step': {
    title: 'Run one step of the chosen run',
    menu: 'File',
    accelerator: 'CmdOrCtrl+Alt+S',
    group: 4,
  },
  'run.pause': { title: 'Pause the chosen run', menu: 'File', accelerator: 'CmdOrCtrl+Alt+P', group: 4 },
  'run.stop': { title: 'Stop the chosen run', menu: 'File', accelerator: 'CmdOrCtrl+Alt+X', group: 4 },
  'task.new': { title: 'New task…', menu: 'File', group: 5 },
  'task.sample': { title: 'Capture the screen in a task', menu: 'File', group: 5 },
  'task.stopAll': { title: 'Stop all tasks', menu: 'File', group: 5 },
  'agent.setUp': { title: 'Set up an agent…', menu: 'File', group: 5 },
  'agent.connect': { title: 'Connect an agent to the machines…', menu: 'File', group: 5 },
  'photo.keep': { title: 'Keep the converted picture in the sheet', menu: 'Edit', group: 5 },
  'project.act': { title: 'Act on the run…', menu: 'Edit', accelerator: 'CmdOrCtrl+Alt+A', group: 4 },
  'project.undo': {
    title: 'Undo the latest edit of a run',
    menu: 'Edit',
    accelerator: 'CmdOrCtrl+Alt+U',
    group: 4,
  },
  'project.redo': { title: 'Redo the latest edit that was undone', menu: 'Edit', group: 4 },
  'picture.copy': { title: 'Copy the screen', menu: 'Edit', accelerator: 'CmdOrCtrl+Shift+C', group: 2 },
  'edit.pasteToMachine': { title: 'Type the clipboard', menu: 'Edit', accelerator: 'CmdOrCtrl+Shift+V', group: 2 },
  'edit.stopTyping': { title: 'Stop typing', menu: 'Edit', group: 2 },
  'memory.undo': { title: 'Undo the memory edit', menu: 'Edit', accelerator: 'CmdOrCtrl+Alt+Z', group: 3 },
  'memory.redo': { title: 'Redo the memory edit', menu: 'Edit', group: 3 },
  'memory.goto': { title: 'Go to address…', menu: 'Edit', accelerator: 'CmdOrCtrl+G', group: 3 },
  'memory.search': { title: 'Search memory', menu: 'Edit', accelerator: 'CmdOrCtrl+F', group: 3 },
  'memory.labels': { title: 'Labels of the program', menu: 'Edit', accelerator: 'CmdOrCtrl+T', group: 3 },
  'memory.openPane': { title: 'Open another hex view', menu: 'Edit', accelerator: 'CmdOrCtrl+Alt+H', group: 3 },
  'memory.zeroPage': { title: 'Zero page by name', menu: 'Edit', accelerator: 'CmdOrCtrl+Alt+V', group: 3 },
  'memory.closePane': { title: 'Close the hex view', menu: 'Edit', accelerator: 'CmdOrCtrl+Alt+W', group: 3 },
  'memory.nextPane': { title: 'Next hex view', menu: 'Edit', accelerator: 'CmdOrCtrl+Alt+E', group: 3 },
  'spriteBrowser.edit': { title: 'Edit the selected sprites', menu: 'Edit', group: 5 },
  'spriteBrowser.keep': { title: 'Keep the selected sprites in the sheet', menu: 'Edit', group: 5 },
  'editor.openSprite': { title: 'Edit sprite 0', menu: 'Edit', group: 5 },
  'editor.openScreen': { title: 'Edit the screen', menu: 'Edit', group: 5 },
  'editor.openBitmap': { title: 'Edit the bitmap', menu: 'Edit', group: 5 },
  'editor.toSheet': { title: 'Keep what is edited in the sheet', menu: 'Edit', group: 5 },
  'editor.writeAgain': { title: 'Write again what the machine did not take', menu: 'Edit', group: 6 },
  'editor.takeBack': { title: 'Take back what was not written', menu: 'Edit', group: 6 },
  'editor.undo': { title: 'Undo the stroke', menu: 'Edit', group: 6 },
  'editor.redo': { title: 'Redo the stroke', menu: 'Edit', group: 6 },
  'editor.copy': { title: 'Copy the pixels selected, or all', menu: 'Edit', group: 6 },
  'editor.paste': { title: 'Paste pixels', menu: 'Edit', group: 6 },
  'editor.selectAll': { title: 'Select all pixels', menu: 'Edit', group: 6 },
  'editor.clear': { title: 'Clear the pixels selected, or all', menu: 'Edit', group: 6 },
  'editor.mirrorX': { title: 'Mirror from left to right', menu: 'Edit', group: 6 },
  'editor.mirrorY': { title: 'Mirror from top to bottom', menu: 'Edit', group: 6 },
  'editor.rotate': { title: 'Rotate clockwise by 90 degrees', menu: 'Edit', group: 6 },
  'editor.invert': { title: 'Invert the pixels', menu: 'Edit', group: 6 },
  'editor.exchange': { title: 'Exchange the chosen colour with that at the cursor', menu: 'Edit', group: 6 },
  'editor.reverse': { title: 'Reversed characters, or on the next background', menu: 'Edit', group: 6 },
  'editor.multicolour': { title: 'Hires or multicolour', menu: 'Edit', group: 6 },
  'editor.shiftLeft': { title: 'Shift the pixels left', menu: 'Edit', group: 6 },
  'editor.shiftRight': { title: 'Shift the pixels right', menu: 'Edit', group: 6 },
  'editor.shiftUp': { title: 'Shift the pixels up', menu: 'Edit', group: 6 },
  'editor.shiftDown': { title: 'Shift the pixels down', menu: 'Edit', group: 6 },
  'spriteBrowser.copy': { title: 'Copy the selected sprites', menu: 'Edit', group: 5 },
  'spriteBrowser.paste': { title: 'Paste sprites into the machine', menu: 'Edit', group: 5 },
  'spriteBrowser.grab': { title: 'Grab an animation, or stop and keep it', menu: 'Edit', group: 5 },
  'sheet.undo': { title: 'Undo the change of the sheet', menu: 'Edit', group: 7 },
  'sheet.redo': { title: 'Redo the change of the sheet', menu: 'Edit', group: 7 },
  'sheet.edit': { title: 'Edit the selected sprites of the sheet', menu: 'Edit', group: 7 },
  'sheet.copy': { title: 'Copy the selected sprites of the sheet', menu: 'Edit', group: 7 },
  'sheet.paste': { title: 'Paste sprites into the sheet', menu: 'Edit', group: 7 },
  'sheet.moveBack': { title: 'Move the selected sprites of the sheet towards its front', menu: 'Edit', group: 7 },
  'sheet.moveOn': { title: 'Move the selected sprites of the sheet towards its end', menu: 'Edit', group: 7 },
  'sheet.animate': { title: 'Make an animation of the selected sprites of the sheet', menu: 'Edit', group: 7 },
  'sheet.write': { title: 'Write the selected sprites of the sheet to a slot of the machine', menu: 'Edit', group: 7 },
  'sheet.delete': { title: 'Delete the selected sprites of the sheet', menu: 'Edit', group: 7 },
  'machine.choose': { title: 'Connect…', menu: 'Machine', accelerator: 'CmdOrCtrl+M', group: 1 },
  'machine.connect': { title: 'Reconnect', menu: 'Machine', accelerator: 'CmdOrCtrl+K', group: 1 },
  'machine.disconnect': { title: 'Disconnect', menu: 'Machine', accelerator: 'CmdOrCtrl+Shift+K', group: 1 },
  'connections.search': { title: 'Search the network for machines', menu: 'Machine', group: 1 },
  'machine.pause': { title: 'Pause or resume', menu: 'Machine', accelerator: 'F8', group: 2 },
  'machine.step': { title: 'Step one instruction', menu: 'Machine', accelerator: 'F10', group: 2 },
  'machine.stepOver': { title: 'Step over a call', menu: 'Machine', accelerator: 'CmdOrCtrl+F10', group: 2 },
  'machine.stepOut': {
    title: 'Step out of the routine',
    menu: 'Machine',
    accelerator: 'CmdOrCtrl+Shift+F11',
    group: 2,
  },
  'machine.slowMotion': { title: 'Slow motion', menu: 'Machine', accelerator: 'CmdOrCtrl+F8', group: 2 },
  'machine.runToLine': {
    title: 'Run to the next raster line',
    menu: 'Machine',
    accelerator: 'CmdOrCtrl+Alt+J',
    group: 2,
  },
  'machine.runToFrame': { title: 'Run to the next frame', menu: 'Machine', accelerator: 'CmdOrCtrl+Alt+F', group: 2 },
  'machine.runToIrq': { title: 'Run to the next IRQ', menu: 'Machine', accelerator: 'CmdOrCtrl+Alt+I', group: 2 },
  'machine.runToNmi': { title: 'Run to the next NMI', menu: 'Machine', accelerator: 'CmdOrCtrl+Alt+N', group: 2 },
  'machine.runToCursor': { title: 'Run to the cursor', menu: 'Machine', accelerator: 'CmdOrCtrl+F9', group: 2 },
  'machine.toggleCheckpoint': { title: 'Set or remove a checkpoint', menu: 'Machine', accelerator: 'F9', group: 2 },
  'machine.stepBack': { title: 'Step back', menu: 'Machine', accelerator: 'CmdOrCtrl+Shift+F10', group: 2 },
  'machine.stepBackOver': {
    title: 'Step back over a call',
    menu: 'Machine',
    accelerator: 'CmdOrCtrl+Alt+F10',
    group: 2,
  },
  'machine.backToCheckpoint': {
    title: 'Back to the last checkpoint',
    menu: 'Machine',
    accelerator: 'CmdOrCtrl+Shift+F8',
    group: 2,
  },
  'machine.toNow': { title: 'Forward to now', menu: 'Machine', accelerator: 'CmdOrCtrl+Shift+F9', group: 2 },
  'machine.toLeftFuture': { title: 'Undo the change of the past', menu: 'Machine', group: 2 },
  'machine.reset': { title: 'Reset', menu: 'Machine', accelerator: 'CmdOrCtrl+R', group: 3 },
  'machine.powerCycle': { title: 'Power off and on', menu: 'Machine', accelerator: 'CmdOrCtrl+Shift+R', group: 3 },
  'machine.restartBuiltIn': { title: 'Restart the built-in C64', menu: 'Machine', group: 3 },
  'machine.quit': { title: 'Quit the emulator…', menu: 'Machine', group: 3 },
  'machine.warp': { title: 'Warp', menu: 'Machine', accelerator: 'CmdOrCtrl+Shift+W', group: 4 },
  'machine.pal': { title: 'PAL', menu: 'Machine', group: 4 },
  'machine.ntsc': { title: 'NTSC', menu: 'Machine', group: 4 },
  'machine.menuButton': { title: 'Press the menu button', menu: 'Machine', group: 5 },
  'machine.reboot': { title: 'Reboot the device…', menu: 'Machine', group: 5 },
  'machine.powerOff': { title: 'Switch the device off…', menu: 'Machine', group: 5 },
  'stream.video': { title: 'Video stream on or off', menu: 'Machine', group: 6 },
  'stream.audio': { title: 'Audio stream on or off', menu: 'Machine', group: 6 },
  'stream.debug': { title: 'Debug stream on or off', menu: 'Machine', group: 6 },
  'machine.sampling': { title: 'Start or stop sampling', menu: 'Machine', group: 6 },
  'sound.toggle': { title: 'Sound on or off', menu: 'Machine', accelerator: 'CmdOrCtrl+Shift+M', group: 6 },
  'photo.preview': { title: 'Show the converted picture on the machine', menu: 'Machine', group: 9 },
  'photo.takeBack': { title: 'Take the shown picture back', menu: 'Machine', group: 9 },
  'recorder.toggle': {
    title: 'Record, or stop recording',
    menu: 'Machine',
    accelerator: 'CmdOrCtrl+Shift+E',
    group: 7,
  },
  'recorder.previousChange': { title: 'Previous change in the recording', menu: 'Machine', group: 7 },
  'recorder.nextChange': { title: 'Next change in the recording', menu: 'Machine', group: 7 },
  'recorder.mark': { title: 'Mark this moment', menu: 'Machine', accelerator: 'CmdOrCtrl+Alt+K', group: 7 },
  'recorder.previousMark': {
    title: 'Previous mark in the recording',
    menu: 'Machine',
    accelerator: 'CmdOrCtrl+Alt+,',
    group: 7,
  },
  'recorder.nextMark': {
    title: 'Next mark in the recording',
    menu: 'Machine',
    accelerator: 'CmdOrCtrl+Alt+.',
    group: 7,
  },
  'recorder.backToLive': { title: 'Back to live', menu: 'Machine', group: 7 },
  'joystick.toggle': { title: 'Keys move the joystick', menu: 'Machine', accelerator: 'CmdOrCtrl+J', group: 9 },
  'steering.allowOnce': {
    title: 'Allow once what an agent asks',
    menu: 'Machine',
    accelerator: 'CmdOrCtrl+Shift+F1',
    group: 8,
  },
  'steering.allowSession': {
    title: 'Allow for this session what an agent asks',
    menu: 'Machine',
    accelerator: 'CmdOrCtrl+Shift+F2',
    group: 8,
  },
  'steering.allowAlways': {
    title: 'Allow always what an agent asks',
    menu: 'Machine',
    accelerator: 'CmdOrCtrl+Shift+F3',
    group: 8,
  },
  'steering.refuse': {
    title: 'Refuse what an agent asks',
    menu: 'Machine',
    accelerator: 'CmdOrCtrl+Shift+F4',
    group: 8,
  },
  'steering.takeOver': {
    title: 'Take over from agents',
    menu: 'Machine',
    accelerator: 'CmdOrCtrl+Shift+F5',
    group: 8,
  },
  'steering.handBack': { title: 'Hand back to agents', menu: 'Machine', accelerator: 'CmdOrCtrl+Shift+F6', group: 8 },
  'view.palette': { title: 'Command palette…', menu: 'View', accelerator: 'CmdOrCtrl+Shift+P', group: 1 },
  ...showActions(),
  'palette.load': { title: 'Load a palette…', menu: 'View', group: 4 },
  'screen.whole': { title: 'Whole pixels', menu: 'View', group: 4 },
  'screen.borders': { title: 'Borders', menu: 'View', group: 4 },
  'screen.crt': { title: 'CRT look', menu: 'View', group: 4 },
  'screen.sprites': { title: 'Sprites below the screen', menu: 'View', group: 4 },
  'sprites.readFrame': { title: 'Read the sprites and splits of a frame', menu: 'View', group: 4 },
  'raster.readFrame': { title: 'Read the cycles of a frame', menu: 'View', group: 4 },
  'screen.beam': { title: 'Raster position of a paused machine', menu: 'View', group: 4 },
  'screen.float': { title: 'Screen in a window on top', menu: 'View', accelerator: 'Shift+F12', group: 4 },
  'screen.full': { title: 'Screen in full screen', menu: 'View', accelerator: 'Shift+F11', group: 4 },
  'view.nextPanel': { title: 'Next panel', menu: 'View', accelerator: 'F6', group: 5 },
  'view.previousPanel': { title: 'Previous panel', menu: 'View', accelerator: 'Shift+F6', group: 5 },
  'view.goBack': { title: 'Back to where you were', menu: 'View', accelerator: 'Alt+Left', group: 5 },
  'view.goForward': { title: 'Forward to where you went', menu: 'View', accelerator: 'Alt+Right', group: 5 },
  'view.railNames': { title: 'Names on the activity bar', menu: 'View', group: 5 },
  'view.messages': { title: 'Messages', menu: 'View', group: 5 },
  'view.dismissMessages': { title: 'Dismiss all messages', menu: 'View', group: 5 },
  'view.machineBeside': {
    title: 'Machine beside the run, on or off',
    menu: 'View',
    accelerator: 'CmdOrCtrl+Alt+M',
    group: 5,
  },
  'view.debug': { title: 'Debug arrangement, on or off', menu: 'View', accelerator: 'CmdOrCtrl+D', group: 5 },
  'code.toggle': { title: 'Code as source or disassembly', menu: 'View', accelerator: 'CmdOrCtrl+Shift+D', group: 5 },
  'view.resetLayout': { title: 'Reset the layout', menu: 'View', group: 5 },
  'theme.light': { title: 'Light theme', menu: 'View', group: 6 },
  'theme.dark': { title: 'Dark theme', menu: 'View', group: 6 },
  'theme.system': { title: 'Theme of the system', menu: 'View', group: 6 },
  'settings.reset': { title: 'Reset the settings', menu: 'View', group: 7 },
  'help.tour': { title: 'Take the tour', menu: 'Help', group: 1 },
  'help.restartBridge': { title: 'Restart the bridge', menu: 'Help', group: 2 },
  'help.diagnostics': { title: 'Save diagnostics…', menu: 'Help', group: 2 },
  'help.logs': { title: 'Open the log folder', menu: 'Help', group: 2 },
} as const satisfies Record<string, Action>

export type ActionId = keyof typeof actions

/** What actions are called at the moment, where that says more than the table: with the name of what they are about. */
export type ActionTitles = Readonly<Partial<Record<ActionId, string>>>

const isActionId = (id: string): id is ActionId => Object.hasOwn(actions, id)
export const actionIds = Object.keys(actions).filter(isActionId)
