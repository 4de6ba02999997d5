# ruff: noqa: RUF001 -- letters of many languages look alike
"""The closed list of words that announce the player's own answer; no other words are ever read.

A line is an announcement only as a whole: openers, *my*, *the* or *our* but never *your*, an adjective of the list, a
noun, and how it is given; or a verb in the first person. *Previous* and *last* are not among the adjectives.
"""

import re
from functools import cache
from typing import Final

MOST: Final = 160
"""A longer line announces nothing."""

# By language: openers; determiners; adjectives; nouns; what may follow; verbs in the first person.
_LISTS: Final = {
    "en": r"so|thus|therefore|hence|ok|okay|alright|well|now|then|finally|sure|certainly|great|in conclusion|based on "
        r"(?:this|that|the above|my analysis|this analysis)|given (?:this|that|the above|all this|all that)|with "
        r"(?:that|this)(?: in mind)?|after (?:careful )?(?:thought|consideration)|here's|here is|here are|here comes|"
        r"here goes|this is|that is|below is|it is;my|the|our;final|next|chosen|selected|best|own|json|optimal;move|"
        r"answer|action|choice|decision|response|reply|output|play|selection|orders?|bid|vote|offer|proposal|guess|"
        r"result|solution|json|json object|final;in the (?:requested|required|correct|specified|expected|right|given|"
        r"desired|proper|json)(?: json)? (?:format|form)|in json(?: format)?|as (?:json|requested|instructed|required|"
        r"a json object)|(?:for )?this (?:turn|round|move)|now|then|is|is this|is as follows|as follows|follows|will "
        r"be|i make;i (?:will |shall |now |therefore |hereby |would like to )?(?:play|choose|pick|select|answer|"
        r"submit|go|go with|respond|respond with|bid|vote|decide|decide on)|i'll (?:play|choose|pick|go with|select|"
        r"answer|take)|i(?:'m| am) going (?:with|for)|i(?:'m| am) (?:playing|choosing)|i have (?:chosen|decided)",
    "de": r"also|daher|deshalb|somit|gut|nun|hier ist|hier kommt|das ist|hier;meine?|unsere?|der|die|das;"
        r"endgültige[rs]?|nächste[rs]?|gewählte[rs]?|finale[rs]?|beste[rs]?|json;zug|antwort|aktion|wahl|entscheidung|"
        r"ausgabe|ergebnis|gebot|stimme|befehle?|angebot|spielzug|lösung|json|json-objekt;im (?:geforderten|"
        r"verlangten|gewünschten|richtigen|json-?) ?(?:format)?|als json|lautet|ist|folgt|wie folgt|wie verlangt|in "
        r"dieser runde;ich (?:spiele|wähle|nehme|ziehe|antworte|biete|setze|entscheide mich für|gehe|stimme)(?: also| "
        r"daher| jetzt)?",
    "fr": r"donc|ainsi|alors|voici|voilà|en conclusion|finalement|c'est;ma|mon|mes|notre|la|le|les|l';finale?|"
        r"prochaine?|choisie?|définitive?|meilleure?|json|suivante?;coup|réponse|action|choix|décision|résultat|"
        r"enchère|vote|ordres?|offre|proposition|solution|json|objet json;au format (?:demandé|requis|json|voulu)|"
        r"dans le format (?:demandé|requis)|en json|est|sera|est la suivante|est le suivant|pour ce tour;je (?:joue|"
        r"choisis|réponds|prends|mise|vote|propose|décide|vais jouer)(?: donc)?|j'(?:opte pour|annonce)",
    "es": r"entonces|por tanto|aquí está|aquí va|esta es|este es|en conclusión|conclusión|finalmente;mi|mis|nuestra|"
        r"nuestro|la|el|los|las;final|próxim[ao]|elegid[ao]|definitiv[ao]|mejor|siguiente|json;jugada|respuesta|"
        r"acción|movimiento|elección|decisión|resultado|apuesta|voto|órdenes|orden|oferta|propuesta|solución|json|"
        r"objeto json;en el formato (?:pedido|solicitado|requerido|json)|en formato json|en json|es|será|es la "
        r"siguiente|es el siguiente|para este turno;(?:yo )?(?:juego|elijo|respondo|escojo|apuesto|voto|decido|voy "
        r"con|me quedo con|muevo)",
    "pt": r"então|portanto|assim|aqui está|aqui vai|esta é|este é|em conclusão|conclusão;a minha|o meu|minha|meu|nossa|"
        r"nosso|a|o;final|próxim[ao]|escolhid[ao]|definitiv[ao]|melhor|seguinte|json;jogada|resposta|ação|movimento|"
        r"lance|escolha|decisão|resultado|aposta|voto|ordens|ordem|oferta|proposta|solução|json|objeto json;no "
        r"formato (?:pedido|solicitado|exigido|json)|em json|é|será|é a seguinte|é o seguinte|para este turno|nesta "
        r"rodada;(?:eu )?(?:jogo|escolho|respondo|aposto|voto|decido|vou de|vou com|fico com|movo)",
    "it": r"quindi|allora|ecco|questa è|questo è|in conclusione|conclusione|pertanto|infine;la mia|il mio|mia|mio|"
        r"nostra|nostro|la|il|l';finale|prossim[ao]|scelt[ao]|definitiv[ao]|miglior[e]?|seguente|json;mossa|risposta|"
        r"azione|scelta|decisione|giocata|risultato|puntata|voto|ordini|ordine|offerta|proposta|soluzione|json|"
        r"oggetto json;nel formato (?:richiesto|json)|in formato json|in json|è|sarà|è la seguente|è il seguente|per "
        r"questo turno;(?:io )?(?:gioco|scelgo|rispondo|punto|voto|decido|muovo|vado con|opto per)",
    "ru": r"итак|поэтому|следовательно|вот|это|таким образом|в итоге;мой|моя|моё|мое|мои|наш|наша|наше;"
        r"окончательн(?:ый|ая|ое)|выбранн(?:ый|ая|ое)|итогов(?:ый|ая|ое)|финальн(?:ый|ая|ое)|лучший;ход|ответ|действие|выбор|решение|"
        r"результат|ставка|голос|приказы?|предложение|json|объект json;в (?:нужном|требуемом|запрошенном|указанном) "
        r"формате|в формате json|в json|таков|такой|такая|такое|будет|на этот ход|в этом раунде;(?:я )?(?:играю|"
        r"выбираю|хожу|отвечаю|ставлю|голосую|решаю|делаю ход|беру)",
    "hi": r"तो|इसलिए|यह है|यह रहा|यह रही|यहाँ है|निष्कर्ष;मेरा|मेरी|हमारा|हमारी;अंतिम|अगला|अगली|सर्वोत्तम;चाल|उत्तर|"
        r"जवाब|कार्रवाई|चुनाव|विकल्प|निर्णय|फ़ैसला|परिणाम|दांव|वोट|आदेश|json;है|यह है|इस प्रकार है|निम्नलिखित है|"
        r"अनुरोधित प्रारूप में|json में|json प्रारूप में;मैं (?:खेलता हूँ|खेलती हूँ|चुनता हूँ|चुनती हूँ|खेलूँगा|"
        r"खेलूँगी|चुनूँगा)",
    "ar": r"إذن|إذا|لذلك|لذا|هذا هو|هذه هي|ها هي|ها هو|إليك|إليكم;;النهائي|النهائية|التالي|التالية|المختار|المختارة|"
        r"الأخيرة|الأفضل;نقلتي|حركتي|إجابتي|جوابي|اختياري|قراري|ردي|خطوتي|لعبتي|الإجابة|الجواب|الحركة|النقلة|القرار|"
        r"الاختيار|عرضي|صوتي|إجرائي|json;هي|هو|كالتالي|كما يلي|بالصيغة المطلوبة|بالتنسيق المطلوب|بصيغة json|في هذا "
        r"الدور|لهذا الدور;(?:أنا )?(?:ألعب|أختار|سألعب|سأختار|أجيب|أقرر)",
    "tr": r"o halde|öyleyse|bu yüzden|sonuç olarak|işte|sonuç;benim|bizim;son|nihai|sıradaki|seçtiğim;hamlem|cevabım|"
        r"yanıtım|kararım|seçimim|eylemim|oyum|teklifim|hamle|cevap|yanıt|karar|seçim|eylem|sonuç|json;şu|şudur|şöyle|"
        r"istenen biçimde|istenen formatta|json olarak|json biçiminde|aşağıda|aşağıdadır|bu tur için;(?:ben "
        r")?(?:oynuyorum|seçiyorum|oynarım|seçerim|cevaplıyorum)|şunu (?:oynuyorum|seçiyorum)",
    "ko": r"그래서|따라서|그러므로|그럼|결론적으로|종합하면;나의|저의|제가|내가|내|제|우리의;최종|다음|선택한|최선의|"
        r"이번;수|수는|답|답은|답변|답변은|행동|행동은|선택|선택은|결정|결정은|응답|응답은|결과|결과는|json;다음과 "
        r"같습니다|다음과 같다|이것입니다|입니다|요청된 형식으로|json 형식으로|json으로|은|는|을|를|합니다;(?:저는|"
        r"나는|제가|내가)?\s*(?:둡니다|선택합니다|고릅니다|두겠습니다|선택하겠습니다|놓겠습니다|놓습니다)",
    "zh": r"所以|因此|那么|好的|综上|综上所述|综合以上|综合以上考虑|综合考虑|综合来看|以下是|下面是|这是|这就是|最后|"
        r"最终;我的|我|我们的|本轮|本回合|这一步;最终|最后|下一步|选择的|选定的|最佳|正式;决定|選擇|选择|答案|行动|"
        r"动作|走法|回答|回复|输出|决策|下一步|行動|決定|结论|json|json对象|投票|出价;如下|是|为|按要求的格式|"
        r"以json格式|json格式|按要求|这一步|本回合;我(?:最终)?(?:选择|选|出|下|走|决定|打|要出|投|回答|行动)",
    "nl": r"dus|daarom|hier is|dit is;mijn|onze|de|het;definitieve?|volgende|gekozen;zet|antwoord|actie|keuze|"
        r"beslissing|json;is|luidt|voor deze beurt|in het gevraagde formaat;(?:dus )?ik (?:speel|kies|neem|antwoord|"
        r"doe)",
    "pl": r"więc|zatem|dlatego|oto|to jest;mój|moja|moje|nasz|nasza;ostateczn[yae]|następn[yae]|wybran[yae];ruch|"
        r"odpowiedź|akcja|wybór|decyzja|rozkaz|oferta|głos|json;to|jest|brzmi|w tej turze|w żądanym formacie;(?:ja "
        r")?(?:gram|wybieram|odpowiadam|zagrywam)",
    "uk": r"отже|тому|ось|це|таким чином;мій|моя|моє|мої|наш|наша;остаточн(?:ий|а|е)|наступн(?:ий|а)|обран(?:ий|а|е);"
        r"хід|відповідь|дія|вибір|рішення|наказ|ставка|голос|json;такий|така|на цей хід|у потрібному форматі|це;(?:я "
        r")?(?:граю|обираю|вибираю|ходжу|відповідаю)",
    "el": r"λοιπόν|άρα|επομένως|ορίστε|εδώ είναι|αυτή είναι;η|ο|το;τελική|τελικό|επόμενη|επιλεγμένη;κίνηση|κίνησή|"
        r"απάντηση|απάντησή|ενέργεια|ενέργειά|επιλογή|απόφαση|απόφασή|json;μου|μας|είναι|είναι η εξής|ως εξής|στη "
        r"ζητούμενη μορφή;(?:εγώ )?(?:παίζω|επιλέγω|διαλέγω|απαντώ)",
    "sv": r"så|alltså|därför|derfor|här är|her er|her kommer|det er;mitt|min|vårt|vår|mit;slutliga?|nästa|valda|"
        r"endelige?|neste|næste|valgte;drag|svar|handling|val|beslut|träk|træk|trekk|valg|beslutning|json;är|er|blir|"
        r"är följande|er følgende|som följer|i begärt format|denna gång|i denne tur|derfor;jag (?:spelar|väljer|"
        r"svarar)|jeg (?:spiller|velger|vælger|svarer)",
    "ro": r"deci|prin urmare|așadar|iată|aceasta este;mutarea|răspunsul|alegerea|decizia|acțiunea|ordinul;final[ăa]?|"
        r"următoarea|aleasă;mea|meu|mutare|răspuns|acțiune|alegere|decizie|json;este|este următoarea|este următorul|"
        r"în formatul cerut|pentru această tură;(?:eu )?(?:joc|aleg|răspund|mut)",
    "ja": r"では|よって|したがって|以下が|これが|こちらが|結論|以上より|結論として;私の|今回の|このターンの;最終的な|"
        r"最終|次の|選んだ|選択した|最善の;手|指し手|回答|答え|答|行動|アクション|選択|決定|結果|出力|判断|json|投票;"
        r"は|です|は次の通りです|は以下の通りです|はこれです|次の通り|以下の通り|指定の形式で|指定された形式で|"
        r"json形式で|要求された形式で|を;(?:私は)?\s*(?:指します|選びます|打ちます|選択します|プレイします|出します)",
}  # fmt: skip

_ARROWS: Final = "→➡👉⇒➜▶⟶"
_TRIM: Final = re.compile(r"^(?:[^\w<>\u0900-\u0963]|_)+|(?:[^\w<>\u0900-\u0963]|_)+$")


@cache
def _pattern() -> re.Pattern[str]:
    """All languages as one pattern of a whole line."""
    forms: list[str] = []
    for words in _LISTS.values():
        opener, own, adjective, noun, tail, verb = words.split(";")
        gap = r"[\s,.:\u3001\uff0c\uff1a\u2013\u2014-]*"
        word = rf"(?:{opener}){gap}"
        named = rf"(?:(?:{own}){gap})?(?:(?:{adjective}){gap})*(?:{noun})(?:{gap}(?>{adjective}|{noun}))*"
        forms.append(rf"(?:{word})*(?:{named}|{verb})(?:{gap}(?:{tail}))*")
    return re.compile("|".join(forms))


def announces(line: str) -> bool:
    """Whether a whole line is an announcement of the list, or an arrow; marks around its words do not count."""
    if len(line) > MOST:
        return False
    if line.strip(" \t*_\ufe0f") in {*_ARROWS, "=>"}:
        return True
    said = _TRIM.sub("", line.replace("\ufe0f", "")).casefold().replace("\u2019", "'")
    return _pattern().fullmatch(" ".join(said.replace("*", " ").replace("`", " ").split())) is not None
