/** Words of our own in many languages: texts made of them look like what agents read without being anybody's. */
const languages = {
  english:
    'although nobody had expected it the harbour was quiet when the last of the fishing boats came home and the children who usually waited by the wall were already asleep . it seemed reasonable to conclude that the measurements taken during winter were affected by temperature , since every instrument drifted in the same direction . please review this proposal carefully before the meeting and tell us whether you would rather postpone the decision , because several departments depend on what we agree . however , performance improved considerably after caching had been introduced . the server does not answer , so the request will be sent again in a few seconds . this file holds the settings of the application and the list of users who may enter . she opened the window and saw that the snow had melted . the new version fixes a bug that made messages disappear . run the tests , check the types and update the documentation before you merge',
  german:
    'obwohl niemand damit gerechnet hatte , war der Hafen ruhig , als die letzten Fischerboote nach Hause kamen . die Messungen wurden durch die Temperatur beeinflusst , weil jedes Gerät in dieselbe Richtung abwich . bitte prüfen Sie den Vorschlag sorgfältig und teilen Sie uns mit , ob die Entscheidung verschoben werden soll . Verbindungsfehler beim Zugriff auf die Datenbank . der Server antwortet nicht , deshalb wird die Anfrage in einigen Sekunden wiederholt . diese Datei enthält die Einstellungen der Anwendung und die Liste der Benutzer . sie öffnete das Fenster und sah , dass der Schnee schon geschmolzen war . die neue Version behebt einen Fehler , durch den Nachrichten verloren gingen . gestern fuhren wir aufs Land und gingen lange im Wald spazieren . die Funktion gibt eine Liste zurück , die nach dem Datum sortiert ist . wenn die Variable nicht gesetzt ist , gilt der voreingestellte Wert . speichern Sie die Änderungen und starten Sie das Programm neu',
  french:
    'bien que personne ne l’ait prévu , le port était calme lorsque les derniers bateaux de pêche sont rentrés . les mesures ont été faussées par la température , car chaque appareil déviait dans le même sens . veuillez relire cette proposition avant la réunion et nous dire si vous préférez reporter la décision . le serveur ne répond pas , la requête sera donc répétée dans quelques secondes . ce fichier contient les réglages de l’application et la liste des utilisateurs . elle ouvrit la fenêtre et vit que la neige avait déjà fondu',
  spanish:
    'aunque nadie lo esperaba , el puerto estaba tranquilo cuando volvieron los últimos barcos de pesca . las mediciones se vieron afectadas por la temperatura , porque cada instrumento se desviaba en la misma dirección . revise la propuesta antes de la reunión y díganos si prefiere aplazar la decisión . el servidor no responde , por lo que la solicitud se repetirá dentro de unos segundos . este archivo contiene la configuración de la aplicación y la lista de usuarios . abrió la ventana y vio que la nieve ya se había derretido',
  polish:
    'chociaż nikt się tego nie spodziewał , port był spokojny , kiedy ostatnie łodzie rybackie wróciły do domu . pomiary zostały zakłócone przez temperaturę , ponieważ każde urządzenie odchylało się w tym samym kierunku . prosimy dokładnie sprawdzić propozycję przed zebraniem . serwer nie odpowiada , dlatego żądanie zostanie powtórzone za kilka sekund . ten plik zawiera ustawienia aplikacji i listę użytkowników . otworzyła okno i zobaczyła , że śnieg już stopniał . nowa wersja naprawia błąd , przez który ginęły wiadomości',
  turkish:
    'kimse beklemese de son balıkçı tekneleri eve döndüğünde liman sessizdi . ölçümler sıcaklıktan etkilendi , çünkü her cihaz aynı yöne kayıyordu . lütfen toplantıdan önce öneriyi dikkatle inceleyin ve kararı ertelemek isteyip istemediğinizi bize bildirin . sunucu yanıt vermiyor , bu yüzden istek birkaç saniye sonra yinelenecek . bu dosyada uygulama ayarları ve erişim izni olan kullanıcıların listesi bulunur . pencereyi açtı ve karın çoktan eridiğini gördü . yeni sürüm , iletilerin kaybolmasına yol açan hatayı gideriyor',
  vietnamese:
    'mặc dù không ai ngờ tới , bến cảng vẫn yên tĩnh khi những chiếc thuyền đánh cá cuối cùng trở về . các phép đo bị ảnh hưởng bởi nhiệt độ vì mọi thiết bị đều lệch theo cùng một hướng . vui lòng xem lại đề xuất trước cuộc họp',
  russian:
    'хотя никто этого не ожидал , в гавани было тихо , когда последние рыбацкие лодки вернулись домой . на измерения повлияла температура , потому что все приборы отклонялись в одну сторону . пожалуйста , внимательно прочитайте предложение до собрания и сообщите нам , стоит ли отложить решение . ошибка подключения к базе данных . сервер не отвечает , поэтому запрос будет повторён через несколько секунд . в этом файле описаны настройки приложения и список пользователей , которым разрешён доступ . она открыла окно и увидела , что снег уже растаял . новая версия исправляет ошибку , из-за которой терялись сообщения . вчера мы поехали за город и долго гуляли по лесу , хотя обещали дождь . функция возвращает список объектов , отсортированный по дате создания . если переменная не задана , используется значение по умолчанию . учитель объяснил детям , почему зимой дни короче . сохраните изменения и перезапустите программу , чтобы они вступили в силу',
  ukrainian:
    'хоча ніхто цього не очікував , у гавані було тихо , коли останні рибальські човни повернулися додому . на вимірювання вплинула температура , бо всі прилади відхилялися в один бік . будь ласка , уважно прочитайте пропозицію до зборів . сервер не відповідає , тому запит буде надіслано ще раз за кілька секунд . цей файл містить налаштування програми та список користувачів . вона відчинила вікно й побачила , що сніг уже розтанув . нова версія виправляє помилку , через яку зникали повідомлення . збережіть зміни та спробуйте ще раз',
  greek:
    'αν και κανείς δεν το περίμενε , το λιμάνι ήταν ήσυχο όταν γύρισαν οι τελευταίες ψαρόβαρκες . οι μετρήσεις επηρεάστηκαν από τη θερμοκρασία , επειδή κάθε όργανο απέκλινε προς την ίδια κατεύθυνση . ο διακομιστής δεν απαντά , γι’ αυτό το αίτημα θα επαναληφθεί σε λίγα δευτερόλεπτα . αυτό το αρχείο περιέχει τις ρυθμίσεις της εφαρμογής και τη λίστα των χρηστών . άνοιξε το παράθυρο και είδε ότι το χιόνι είχε ήδη λιώσει . η νέα έκδοση διορθώνει ένα σφάλμα που οδηγούσε στην απώλεια μηνυμάτων . παρακαλούμε διαβάστε προσεκτικά την πρόταση πριν από τη συνάντηση και πείτε μας τη γνώμη σας . το πρόγραμμα δεν μπορεί να ανοίξει το αρχείο , επειδή δεν υπάρχει . οι άνθρωποι της πόλης αγαπούν τη θάλασσα και τα παλιά τραγούδια . αποθηκεύστε τις αλλαγές και δοκιμάστε ξανά',
  hebrew:
    'אף על פי שאיש לא ציפה לכך , הנמל היה שקט כאשר חזרו סירות הדיג האחרונות . המדידות הושפעו מהטמפרטורה , משום שכל מכשיר סטה לאותו כיוון . אנא בדקו את ההצעה לפני הפגישה . השרת אינו מגיב ולכן הבקשה תישלח שוב בעוד כמה שניות . קובץ זה מכיל את הגדרות היישום ואת רשימת המשתמשים . היא פתחה את החלון וראתה שהשלג כבר נמס . הגרסה החדשה מתקנת תקלה שגרמה לאובדן הודעות',
  arabic:
    'على الرغم من أن أحدا لم يتوقع ذلك ، كان الميناء هادئا عندما عادت آخر قوارب الصيد . تأثرت القياسات بدرجة الحرارة لأن كل جهاز انحرف في الاتجاه نفسه . يرجى مراجعة الاقتراح قبل الاجتماع وإخبارنا إذا كنتم تفضلون تأجيل القرار . الخادم لا يستجيب ولذلك سيعاد إرسال الطلب بعد ثوان قليلة . يحتوي هذا الملف على إعدادات التطبيق وقائمة المستخدمين المسموح لهم بالدخول . فتحت النافذة فرأت أن الثلج قد ذاب . يصلح الإصدار الجديد خطأ كان يؤدي إلى فقدان الرسائل',
  hindi:
    'हालाँकि किसी को इसकी उम्मीद नहीं थी , बंदरगाह शांत था जब आखिरी नावें घर लौटीं । तापमान के कारण माप प्रभावित हुए क्योंकि हर उपकरण एक ही दिशा में भटक गया । कृपया बैठक से पहले प्रस्ताव को ध्यान से देखें । सर्वर उत्तर नहीं दे रहा है , इसलिए अनुरोध कुछ सेकंड बाद फिर भेजा जाएगा । इस फ़ाइल में अनुप्रयोग की सेटिंग और उपयोगकर्ताओं की सूची है । उसने खिड़की खोली और देखा कि बर्फ पिघल चुकी थी । नया संस्करण उस त्रुटि को ठीक करता है जिससे संदेश खो जाते थे',
  korean:
    '아무도 예상하지 못했지만 마지막 어선이 돌아왔을 때 항구는 조용했다 . 모든 기기가 같은 방향으로 벗어났기 때문에 측정은 온도의 영향을 받았다 . 회의 전에 제안을 자세히 검토하고 결정을 미루고 싶은지 알려 주세요 . 서버가 응답하지 않아 몇 초 뒤에 요청을 다시 보냅니다 . 이 파일에는 애플리케이션 설정과 접근이 허용된 사용자 목록이 들어 있습니다 . 창문을 열었더니 눈이 벌써 녹아 있었다 . 새 버전에서는 메시지가 사라지던 오류를 수정했습니다 . 함수를 호출하기 전에 매개변수를 검증하고 예외를 처리해야 합니다 . 어제 우리는 시골에 가서 오랫동안 숲을 걸었다 . 이 함수는 만든 날짜 순서로 정렬된 목록을 돌려준다 . 변수가 없으면 기본값을 쓴다 . 변경 사항을 저장하고 프로그램을 다시 시작하십시오 . 선생님은 아이들에게 겨울에 낮이 짧은 까닭을 설명했다',
} as const;

/** Scripts that write without blanks. */
const unspaced = {
  chinese:
    '虽然 没有人 料到 最后 几艘 渔船 回来 时 港口 却 很 安静 。 测量 结果 受到 温度 的 影响 ， 因为 每台 仪器 都 朝着 同一个 方向 偏移 。 请 在 会议 之前 仔细 阅读 这份 建议 ， 并 告诉 我们 是否 希望 推迟 决定 。 无法 连接 数据库 ， 请 检查 配置 文件',
  traditional:
    '雖然 沒有人 料到 最後 幾艘 漁船 回來 時 港口 卻 很 安靜 。 測量 結果 受到 溫度 的 影響 ， 因為 每台 儀器 都 朝著 同一個 方向 偏移 。 請 在 會議 之前 仔細 閱讀 這份 建議 ， 並 告訴 我們 是否 希望 延後 決定',
  japanese:
    '誰も 予想 して いなかった が 、 最後 の 漁船 が 戻った とき 、 港 は 静か だった 。 すべて の 装置 が 同じ 方向 に ずれた ため 、 測定 は 温度 の 影響 を 受けた 。 会議 の 前 に 提案 を よく 読み 、 決定 を 延期 したい か どうか を 教えて ください 。 データベース に 接続 できません でした',
} as const;

export type Language = { readonly name: string; readonly words: readonly string[]; readonly blank: string };

const split = (blank: string) => {
  return ([name, text]: readonly [string, string]): Language => ({ name, words: text.split(' '), blank });
};

export const languagesOf = (): Language[] => [
  ...Object.entries(languages).map(split(' ')),
  ...Object.entries(unspaced).map(split('')),
];

export const identifiers: readonly string[] = (
  'session history payload cursor renderer buffer widget invoice gateway checksum scheduler tenant ' +
  'locale snapshot registry throttle worker pipeline matrix vertex handler socket digest manifest ' +
  'ledger replica shard bucket quorum parser lexer visitor emitter canvas sprite avatar margin column ' +
  'header footer offset stride kernel tensor epoch user name test data file index list item value type ' +
  'key result error message request response config options path string number array object function ' +
  'class module import export default node tree graph edge color size width height view model ' +
  'controller service client server host port address query filter sort page limit count total sum ' +
  'average start end begin finish create update delete insert remove add get set find search load save ' +
  'open close read write event listener callback promise stream chunk token auth login logout password ' +
  'email account profile group role admin order product price cart payment customer address city ' +
  'country language text title body image icon button form input build deploy release version branch ' +
  'commit merge diff patch issue comment review report metric trace span level cache store state action ' +
  'reducer hook context provider component router route link menu table row cell field label date time ' +
  'hour day week month year zone format parse encode decode encrypt hash sign verify random seed retry ' +
  'timeout'
).split(' ');

const symbols = '✅ ❌ ⚠️ 🚀 🎉 👍 ⭐ ✨ 🔧 📝 🐛 👋🏽 👩‍💻 🇫🇷 🔥 💡 📦 🧪 🙂 🤔 🌍 🐳 ☕ 🎯';
export const emoji: readonly string[] = symbols.split(' ');
