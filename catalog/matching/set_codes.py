"""What other programs call a set of Magic cards: codes that were used before, or elsewhere, and today's."""

from typing import Final

_OLD: Final = """
1E lea 2E leb 2U 2ed 3E 3ed 4E 4ed 5E 5ed 6E 6ed 7E 7ed 8E 8ed 9E 9ed AN arn AQ atq LE leg DK drk FE fem HM hml IA ice
AL all MI mir VI vis WL wth TE tmp ST sth EX exo UZ usg GU ulg CG uds MM mmq NE nem PR pcy IN inv PS pls AP apc OD ody
TR tor JU jud PO por P2 p02 PO2 p02 PK ptk P3 s99 P4 s00 UG ugl UNH unh CH chr BD btd BR brb REN ren RIN rin
DAR dom CONF con NMS nem MB1 plst MYS1 mb1 LIST plst PLIST plst TLIST plst TSTS tsb FVD drb FVE v09 FVR v10 FVL v11
DD1 evg DD2 dd2 DDI ddi GVL gvl H09 h09 AT ath BE btd VAN pvan ME1 me1 PRM prm TST tst DCK dkm DM dkm ALP lea BET leb
UNL 2ed REV 3ed EXO exo STH sth TMP tmp WTH wth CFX con 10E 10e S00 s00 S99 s99 PTK ptk MED me1 IMA ima GRC grc
"""
_PAIRS = _OLD.split()

TODAYS: Final = {old.casefold(): new for old, new in zip(_PAIRS[::2], _PAIRS[1::2], strict=True)}
"""Old codes of Gatherer, Magic Online, Arena and apps, and those of Scryfall, all in lower case."""
