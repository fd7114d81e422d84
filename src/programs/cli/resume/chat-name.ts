/** How the chat of this program is named where agents are named. */
export const chatName = "chat";
