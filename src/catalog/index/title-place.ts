/** The place of a title among the events of its session: beside none of them. */
export const titlePlace = -10;
